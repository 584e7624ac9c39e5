import { useRef, useState } from 'react'
import { ChevronLeft, ChevronRight, Settings } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { createDeviceStore } from '../../../state/device/device-store.ts'
import { useStore } from '../../../state/store.ts'
import { isRightToLeft as isPageRightToLeft } from '../../../ui/direction/direction.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { savedReadingPlace, saveReadingPlace } from '../reading-places.ts'
import { usePageKeys } from '../use-page-keys.ts'
import type { ViewedFile } from '../viewer.ts'
import { SinglePage } from './comic-page.tsx'
import { ComicStrip } from './comic-strip.tsx'
import type { Comic } from './comic.ts'
import { usePageGestures } from './use-page-gestures.ts'
import styles from './comic.module.css'
import { directed } from '../../../ui/icon.tsx'

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
  const steps = {
    isRightToLeft,
    isScrolling: layout === 'strip',
    onStep: (by: 1 | -1) => goTo(page + by),
    onFirst: () => goTo(0),
    onLast: () => goTo(last),
  }
  usePageKeys(steps)
  usePageGestures(stage, steps)
  const from = Math.max(0, page - loadedBefore)
  return (
    <div className={styles.viewer} data-part="comic" data-fills-width="">
      <div className={styles.bar} role="toolbar" aria-label={t('viewer.document')}>
        <PageSlider page={page} last={last} isRightToLeft={isRightToLeft} onGo={goTo} />
        <output className={styles.count}>
          {t('viewer.position', { position: page + 1, total: last + 1 })}
        </output>
        <MenuButton
          icon={Settings}
          label={t('viewer.readingOptions')}
          entries={[
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
          ]}
        />
      </div>
      {layout === 'strip' ? (
        <ComicStrip comic={comic} label={visibleName(name)} page={page} onPage={goTo} />
      ) : (
        // The mark keeps the frame of the file from taking swipes, which turn pages here.
        <div ref={stage} className={styles.stage} data-zoomed>
          {Array.from({ length: Math.min(last, page + loadedAfter) - from + 1 }, (_, at) => (
            <SinglePage key={from + at} comic={comic} index={from + at} isHidden={from + at !== page} />
          ))}
        </div>
      )}
    </div>
  )
}

type PageSliderProps = {
  readonly page: number
  readonly last: number
  readonly isRightToLeft: boolean
  readonly onGo: (page: number) => void
}

/** Renders the controls that lead to other pages. The next page is on the side to which the comic is read. */
function PageSlider({ page, last, isRightToLeft, onGo }: PageSliderProps) {
  const previous = {
    label: t('viewer.previousPage'),
    blockedBy: page === 0 ? t('viewer.isFirstPage') : undefined,
    onClick: () => onGo(page - 1),
  }
  const next = {
    label: t('viewer.nextPage'),
    blockedBy: page === last ? t('viewer.isLastPage') : undefined,
    onClick: () => onGo(page + 1),
  }
  // The bar follows the language of the page, the comic its own direction.
  const isTurned = isRightToLeft !== isPageRightToLeft()
  return (
    <>
      <IconButton icon={directed(ChevronLeft)} {...(isTurned ? next : previous)} />
      <input
        type="range"
        className={styles.slider}
        dir={isRightToLeft ? 'rtl' : 'ltr'}
        aria-label={t('viewer.pageNumber')}
        aria-valuetext={t('viewer.position', { position: page + 1, total: last + 1 })}
        min={0}
        max={last}
        value={page}
        onChange={(event) => onGo(event.currentTarget.valueAsNumber)}
      />
      <IconButton icon={directed(ChevronRight)} {...(isTurned ? previous : next)} />
    </>
  )
}
