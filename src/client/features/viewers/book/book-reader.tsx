import { useEffect, useRef, useState } from 'react'
import { ChevronLeft, ChevronRight, Rows3, ZoomIn, ZoomOut } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { createDeviceStore } from '../../../state/device/device-store.ts'
import { useStore } from '../../../state/store.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { ScrollArea } from '../../../ui/scroll-area.tsx'
import { mobileQuery, useMedia } from '../../../ui/measuring/use-media.ts'
import { visibleName } from '../../../ui/visible-name.ts'
import { savedReadingPlace, saveReadingPlace } from '../reading-places.ts'
import { usePageKeys } from '../use-page-keys.ts'
import type { ViewedFile } from '../viewer.ts'
import { BookChapter } from './book-chapter.tsx'
import { BookContents } from './book-contents-panel.tsx'
import type { BookPlace, ChapterTarget } from './book-place.ts'
import { type Book, lineOfChapter } from './book.ts'
import styles from './book.module.css'
import { directed } from '../../../ui/icon.tsx'

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
  usePageKeys({
    isRightToLeft: book.isRightToLeft,
    isScrolling: true,
    onStep: (by) => goTo(place.chapter + by),
    onFirst: () => scrollTo(0),
    onLast: () => scrollTo(area.current?.scrollHeight ?? 0),
  })
  useEffect(() => area.current?.focus({ preventScroll: true }), [])
  return (
    <div className={styles.viewer} data-part="book" data-fills-width="">
      <BookBar
        book={book}
        chapter={place.chapter}
        isContentsOpen={isContentsOpen}
        onContents={() => setContentsOpen(!isContentsOpen)}
        onGo={goTo}
      />
      <div className={styles.body} data-side-panel={isContentsOpen ? 'wide' : undefined}>
        {isContentsOpen && (
          <BookContents
            book={book}
            chapter={place.chapter}
            onGo={(chapter, id) => {
              goTo(chapter, id === '' ? undefined : { kind: 'fragment', id })
              if (isNarrow) setContentsOpen(false)
            }}
            onClose={() => setContentsOpen(false)}
          />
        )}
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
      </div>
    </div>
  )
}

type BookBarProps = {
  readonly book: Book
  readonly chapter: number
  readonly isContentsOpen: boolean
  readonly onContents: () => void
  readonly onGo: (chapter: number) => void
}

function BookBar({ book: { chapters, contents }, chapter, isContentsOpen, onContents, onGo }: BookBarProps) {
  const size = useStore(textSize)
  const at = textSizes.indexOf(size)
  const title = contents[lineOfChapter(contents, chapter)]?.label
  const resize = (by: 1 | -1): void => textSize.set((before) => textSizes[at + by] ?? before)
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('viewer.document')}>
      <IconButton
        icon={Rows3}
        label={t('viewer.contents')}
        aria-expanded={isContentsOpen}
        onClick={onContents}
      />
      <IconButton
        icon={directed(ChevronLeft)}
        label={t('viewer.previousChapter')}
        blockedBy={chapter === 0 ? t('viewer.isFirstChapter') : undefined}
        onClick={() => onGo(chapter - 1)}
      />
      <output className={styles.count}>
        {t('viewer.position', { position: chapter + 1, total: chapters.length })}
      </output>
      <IconButton
        icon={directed(ChevronRight)}
        label={t('viewer.nextChapter')}
        blockedBy={chapter === chapters.length - 1 ? t('viewer.isLastChapter') : undefined}
        onClick={() => onGo(chapter + 1)}
      />
      <p className={styles.title} dir="auto">
        {title}
      </p>
      <IconButton
        icon={ZoomOut}
        label={t('viewer.smallerText')}
        blockedBy={at === 0 ? t('viewer.isSmallestText') : undefined}
        onClick={() => resize(-1)}
      />
      <IconButton
        icon={ZoomIn}
        label={t('viewer.largerText')}
        blockedBy={at === textSizes.length - 1 ? t('viewer.isLargestText') : undefined}
        onClick={() => resize(1)}
      />
    </div>
  )
}
