import { useEffect, useRef, useState } from 'react'
import { Rows3, ZoomIn, ZoomOut } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { createDeviceStore } from '../../../state/device/device-store.ts'
import { useStore } from '../../../state/store.ts'
import { Button } from '../../../ui/button.tsx'
import { ScrollArea } from '../../../ui/scroll-area.tsx'
import { mobileQuery, useMedia } from '../../../ui/measuring/use-media.ts'
import { visibleName } from '../../../ui/visible-name.ts'
import { ContentsList } from '../frame/contents-list.tsx'
import { SidePanel } from '../frame/side-panel.tsx'
import type { Tools } from '../frame/tool.ts'
import { ViewerFrame } from '../frame/viewer-frame.tsx'
import { savedReadingPlace, saveReadingPlace } from '../reading-places.ts'
import type { ViewedFile } from '../viewer.ts'
import { BookChapter } from './book-chapter.tsx'
import type { BookPlace, ChapterTarget } from './book-place.ts'
import { type Book, type ContentsItem, lineOfChapter } from './book.ts'
import styles from './book.module.css'

/** The text sizes that the buttons offer, in percent of the usual one. */
const textSizes = ['75', '90', '100', '115', '130', '150', '175', '200'] as const
const textSize = createDeviceStore<(typeof textSizes)[number]>('book-text-size', '100', textSizes)

type BookReaderProps = { readonly file: Pick<ViewedFile, 'name' | 'versionKey'>; readonly book: Book }

/** Shows a book chapter by chapter, with its table of contents and tools for the chapter and the size of the text. */
export function BookReader({ file: { name, versionKey }, book }: BookReaderProps) {
  const area = useRef<HTMLElement>(null)
  const last = book.chapters.length - 1
  const [place, setPlace] = useState<BookPlace>(() => {
    const [chapter = 0, index = 0] = savedReadingPlace(versionKey) ?? []
    return { chapter: Math.min(chapter, last), target: { kind: 'element', index } }
  })
  const isNarrow = useMedia(mobileQuery)
  const [isContentsOpen, setContentsOpen] = useState(false)
  const size = useStore(textSize)
  const goTo = (chapter: number, target: ChapterTarget = { kind: 'element', index: 0 }): void => {
    if (chapter < 0 || chapter > last) return
    setPlace({ chapter, target })
    saveReadingPlace(versionKey, [chapter, target.kind === 'element' ? target.index : 0])
    area.current?.focus({ preventScroll: true })
  }
  const scrollTo = (topPx: number): void => area.current?.scrollTo({ top: topPx })
  const step = (by: 1 | -1) => (): void => goTo(place.chapter + by)
  useEffect(() => area.current?.focus({ preventScroll: true }), [area])
  return (
    <ViewerFrame
      part="book"
      look="document"
      fillsWidth="narrow"
      keys={{
        ArrowRight: step(book.isRightToLeft ? -1 : 1),
        ArrowLeft: step(book.isRightToLeft ? 1 : -1),
        Home: () => scrollTo(0),
        End: () => scrollTo(area.current?.scrollHeight ?? 0),
      }}
      toolbar={{
        label: t('viewer.document'),
        tools: [
          {
            icon: Rows3,
            label: t('viewer.contents'),
            isExpanded: isContentsOpen,
            run: () => setContentsOpen(!isContentsOpen),
          },
          {
            kind: 'position',
            unit: 'chapter',
            position: place.chapter + 1,
            total: book.chapters.length,
            onGo: (to) => goTo(to - 1),
          },
          { kind: 'title', text: titleOf(book, place.chapter) },
          ...textSizeTools(size),
        ],
      }}
      panel={
        isContentsOpen && (
          <SidePanel label={null} width="wide" onClose={() => setContentsOpen(false)}>
            <ContentsList
              lines={linesOf(book, place.chapter).map(({ chapter, fragment: id, ...line }) => ({
                ...line,
                onGo: () => {
                  goTo(chapter, id === '' ? undefined : { kind: 'fragment', id })
                  if (isNarrow) setContentsOpen(false)
                },
              }))}
            />
          </SidePanel>
        )
      }
    >
      <ScrollArea ref={area} className={styles.page} label={visibleName(name)}>
        <div style={{ '--book-scale': Number(size) / 100 } as React.CSSProperties}>
          <BookChapter
            book={book}
            place={place}
            area={area}
            onPlace={(index) => saveReadingPlace(versionKey, [place.chapter, index])}
            onFollow={({ path, fragment }) =>
              goTo(book.chapterAt(path), fragment === '' ? undefined : { kind: 'fragment', id: fragment })
            }
          />
        </div>
        {place.chapter < last && (
          <Button className={styles.onward} onClick={() => goTo(place.chapter + 1)}>
            {t('viewer.nextChapter')}
          </Button>
        )}
      </ScrollArea>
    </ViewerFrame>
  )
}

/** Returns the title of a chapter in the table of contents, or an empty text. */
const titleOf = ({ contents }: Book, chapter: number): string =>
  contents[lineOfChapter(contents, chapter)]?.label ?? ''

/** Returns the lines of the table of contents. A book without one gets a line for each chapter. */
function linesOf({ contents, chapters }: Book, chapter: number) {
  const items: readonly ContentsItem[] =
    contents.length > 0
      ? contents
      : chapters.map((_, index) => ({
          label: t('viewer.chapter', { number: index + 1 }),
          depth: 0,
          chapter: index,
          fragment: '',
        }))
  const current = lineOfChapter(items, chapter)
  return items.map((item, index) => ({ ...item, isCurrent: index === current }))
}

/** Returns the tools that make the text smaller and larger. */
function textSizeTools(size: (typeof textSizes)[number]): Tools {
  const at = textSizes.indexOf(size)
  const resize = (by: 1 | -1): void => textSize.set((before) => textSizes[at + by] ?? before)
  return [
    {
      icon: ZoomOut,
      label: t('viewer.smallerText'),
      blockedBy: at === 0 ? t('viewer.isSmallestText') : undefined,
      run: () => resize(-1),
    },
    {
      icon: ZoomIn,
      label: t('viewer.largerText'),
      blockedBy: at === textSizes.length - 1 ? t('viewer.isLargestText') : undefined,
      run: () => resize(1),
    },
  ]
}
