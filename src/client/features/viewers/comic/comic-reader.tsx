import { useRef, useState } from 'react'
import { Settings } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { createDeviceStore } from '../../../state/device/device-store.ts'
import { useStore } from '../../../state/store.ts'
import { visibleName } from '../../../ui/visible-name.ts'
import { sliderTools } from '../frame/page-slider.tsx'
import { ViewerFrame } from '../frame/viewer-frame.tsx'
import { savedReadingPlace, saveReadingPlace } from '../reading-places.ts'
import type { ViewedFile } from '../viewer.ts'
import { SinglePage } from './comic-page.tsx'
import { ComicStrip } from './comic-strip.tsx'
import type { Comic } from './comic.ts'
import { usePageGestures } from './use-page-gestures.ts'
import styles from './comic.module.css'

/** One page at a time, or all pages in a strip that scrolls. */
const comicLayout = createDeviceStore<'single' | 'strip'>('comic-layout', 'single', ['single', 'strip'])

/** The pages that are loaded around the page on screen: the previous one, and the next two. */
const loadedBefore = 1
const loadedAfter = 2

type ComicReaderProps = { readonly file: Pick<ViewedFile, 'name' | 'versionKey'>; readonly comic: Comic }

/** Shows the pages of a comic, with tools for the page, the layout and the direction of reading. */
export function ComicReader({ file: { name, versionKey }, comic }: ComicReaderProps) {
  const last = comic.pages.length - 1
  const [[savedPage = 0, savedDirection = 0]] = useState(() => savedReadingPlace(versionKey) ?? [])
  const [page, setPage] = useState(Math.min(savedPage, last))
  const [isRightToLeft, setRightToLeft] = useState(savedDirection === 1)
  const layout = useStore(comicLayout)
  const stage = useRef<HTMLDivElement>(null)
  const goTo = (to: number): void => {
    const next = Math.max(0, Math.min(last, to))
    setPage(next)
    saveReadingPlace(versionKey, [next, Number(isRightToLeft)])
  }
  const read = (rightToLeft: boolean): void => {
    setRightToLeft(rightToLeft)
    saveReadingPlace(versionKey, [page, Number(rightToLeft)])
  }
  const step = (by: 1 | -1) => (): void => goTo(page + by)
  usePageGestures(
    stage,
    layout === 'strip' ? null : (isToRight) => goTo(page + (isToRight === isRightToLeft ? -1 : 1)),
  )
  const from = Math.max(0, page - loadedBefore)
  return (
    <ViewerFrame
      part="comic"
      look="document"
      ground="sunken"
      fillsWidth="narrow"
      keys={{
        ArrowRight: step(isRightToLeft ? -1 : 1),
        ArrowLeft: step(isRightToLeft ? 1 : -1),
        Home: () => goTo(0),
        End: () => goTo(last),
        ...(layout === 'single' && {
          ' ': step(1),
          'shift+ ': step(-1),
          PageDown: step(1),
          PageUp: step(-1),
          ArrowDown: step(1),
          ArrowUp: step(-1),
        }),
      }}
      toolbar={{
        label: t('viewer.document'),
        tools: [
          ...sliderTools({
            unit: 'page',
            position: page + 1,
            total: last + 1,
            onGo: (to) => goTo(to - 1),
            isRightToLeft,
          }),
          {
            kind: 'menu',
            icon: Settings,
            label: t('viewer.readingOptions'),
            entries: [
              ...(['single', 'strip'] as const).map((id) => ({
                id,
                label: t(`viewer.layout.${id}`),
                isChosen: id === layout,
                run: () => comicLayout.set(id),
              })),
              { kind: 'separator', id: 'directions' },
              ...(['ltr', 'rtl'] as const).map((id) => ({
                id,
                label: t(`viewer.direction.${id}`),
                isChosen: (id === 'rtl') === isRightToLeft,
                run: () => read(id === 'rtl'),
              })),
            ],
          },
        ],
      }}
    >
      {layout === 'strip' ? (
        <ComicStrip comic={comic} label={visibleName(name)} page={page} onPage={goTo} />
      ) : (
        // The mark keeps the frame of the file from taking swipes, which turn pages here.
        <div ref={stage} className={styles.stage} data-zoomed data-turns-pages>
          {Array.from({ length: Math.min(last, page + loadedAfter) - from + 1 }, (_, at) => (
            <SinglePage key={from + at} comic={comic} index={from + at} isHidden={from + at !== page} />
          ))}
        </div>
      )}
    </ViewerFrame>
  )
}
