import { type DOMAttributes, useImperativeHandle, useLayoutEffect, useRef, type Ref } from 'react'
import { flushSync } from 'react-dom'
import type { SortKey } from '../../../shared/domain/sorting.ts'
import { t } from '../../i18n/translate.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { focusRow, isChosen, selection } from '../../state/selection.ts'
import { useStore } from '../../state/store.ts'
import {
  type Columns,
  entryAt,
  folderTotalOf,
  idAt,
  idOfName,
  indexOfId,
  nameOfId,
  totalOf,
} from '../rows/columns.ts'
import { columnOf, type Geometry, geometryOf, type Range, topOf } from './geometry.ts'
import { rowOrderOfColumns } from '../rows/folder-rows.ts'
import { GridHeader } from './grid-header.tsx'
import { GridRow } from './grid-row.tsx'
import { type Band, useRubberBand } from './use-rubber-band.ts'
import { useMeasures } from './use-measures.ts'
import { type ScrollWindow, useScrollWindow } from './use-scroll-window.ts'
import styles from './grid.module.css'

export type GridView = 'list' | 'mosaic'

/** What keyboard, pointer and memory need of the grid on screen. */
export type GridHandle = {
  readonly element: () => HTMLElement | null
  readonly geometry: () => Geometry
  readonly pageLines: () => number
  /** Gives a row the focus and brings it into view. */
  readonly focusIndex: (index: number) => void
  readonly focusHeader: () => void
  readonly topPx: () => number
  readonly scrollTo: (topPx: number) => void
}

type GridProps = {
  readonly label: string
  readonly columns: Columns
  readonly view: GridView
  readonly isBusy: boolean
  readonly hasExactDates: boolean
  readonly hrefOf: (entry: ListedEntry) => string
  /** Address of what an entry looks like, small; empty for none. */
  readonly thumbnailOf: (entry: ListedEntry) => string
  readonly onSort: (by: SortKey) => void
  readonly onScroll: () => void
  /** Listeners for presses on rows. */
  readonly listeners: DOMAttributes<HTMLDivElement>
  readonly handle: Ref<GridHandle>
}

/** The listing: only the rows in view are in the page, whatever the folder holds. */
export function Grid({
  label,
  columns,
  view,
  isBusy,
  hasExactDates,
  hrefOf,
  thumbnailOf,
  onSort,
  onScroll,
  listeners,
  handle,
}: GridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  useStore(columns.version)
  const now = useStore(selection)
  const measures = useMeasures(scroller, view)
  const total = totalOf(columns)
  const geometry = geometryOf({
    folders: folderTotalOf(columns),
    total,
    columns: measures.columns,
    lineHeight: measures.lineHeight,
    headingHeight: measures.headingHeight,
  })
  const extent = { contentHeight: geometry.height + measures.padding, viewHeight: measures.viewHeight }
  const scroll = useScrollWindow({ scroller, geometry, extent })
  useAnchor(columns, geometry, scroll)
  const focusIndex = (index: number): void => {
    scroll.showRow(index)
    flushSync(() => selection.set((was) => focusRow(was, idAt(columns, index))))
    scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true })
  }
  useImperativeHandle(handle, () => ({
    element: () => scroller.current,
    geometry: () => geometry,
    pageLines: () => Math.floor(measures.viewHeight / measures.lineHeight),
    focusIndex,
    focusHeader: () => focusSortedColumn(scroller.current),
    topPx: scroll.topPx,
    scrollTo: scroll.scrollTo,
  }))

  const { band, begin } = useRubberBand({
    scroller,
    rows: rowOrderOfColumns(columns),
    geometry,
    columnsBetween: measures.columnsBetween,
    topPx: scroll.topPx,
    scrollTo: scroll.scrollTo,
    headerHeight: measures.headerHeight,
  })

  const focused = indexOfId(columns, now.focusId)
  const tabStop = focused === -1 ? scroll.rows.first : focused
  const headerRows = view === 'list' ? 1 : 0
  return (
    <div
      {...listeners}
      onPointerDown={(event) => {
        listeners.onPointerDown?.(event)
        begin(event)
      }}
      ref={scroller}
      className={styles.scroller}
      data-part="listing"
      id="listing"
      onScroll={onScroll}
      style={measures.style}
    >
      <div
        role="grid"
        className={styles.grid}
        aria-label={label}
        aria-rowcount={total + headerRows}
        aria-colcount={4}
        aria-multiselectable
        aria-busy={isBusy}
      >
        {view === 'list' && (
          <GridHeader order={columns.sortedBy} onSort={onSort} onLeave={() => focusIndex(tabStop)} />
        )}
        <div
          role="rowgroup"
          className={styles.content}
          style={{ blockSize: measures.scrollHeightOf(extent.contentHeight) }}
        >
          {indexesOf(scroll.rows, focused).map((index) => {
            const entry = entryAt(columns, index)
            const top = topOf(geometry, index) - scroll.offset
            if (entry === undefined) return <Awaited key={`…${index}`} index={index} top={top} />
            return (
              <GridRow
                key={entry.name}
                entry={entry}
                index={index}
                ariaRow={index + 1 + headerRows}
                view={view}
                top={top}
                start={measures.startOf(columnOf(geometry, index))}
                width={measures.cardWidth}
                isSelected={isChosen(now, idAt(columns, index))}
                isTabStop={index === tabStop}
                hasCheckbox={now.isMultiple}
                hasExactDates={hasExactDates}
                href={entry.isFolder ? hrefOf(entry) : ''}
                thumbnail={thumbnailOf(entry)}
              />
            )
          })}
        </div>
      </div>
      {band !== null && <BandOutline band={band} offset={scroll.offset - measures.headerHeight} />}
      <Headings geometry={geometry} offset={scroll.offset} />
    </div>
  )
}

function focusSortedColumn(scroller: HTMLElement | null): void {
  const sorted = scroller?.querySelector<HTMLElement>('[aria-sort]:not([aria-sort="none"]) button')
  const first = scroller?.querySelector<HTMLElement>('[aria-sort] button')
  ;(sorted ?? first)?.focus()
}

/** The rows of the window in their order, and the focused one wherever it is, so that the focus never falls to the page. */
function indexesOf({ first, end }: Range, focused: number): readonly number[] {
  const inside = Array.from({ length: end - first }, (_, at) => first + at)
  if (focused === -1 || (focused >= first && focused < end)) return inside
  return focused < first ? [focused, ...inside] : [...inside, focused]
}

/** When other rows take the place of these (a quiet reload), the row at the top of the view stays where it is. */
function useAnchor(columns: Columns, geometry: Geometry, scroll: ScrollWindow): void {
  const before = useRef({ columns, geometry })
  useLayoutEffect(() => {
    const was = before.current
    before.current = { columns, geometry }
    if (was.columns === columns || scroll.topPx() === 0) return
    if (
      was.columns.sortedBy.by !== columns.sortedBy.by ||
      was.columns.sortedBy.descending !== columns.sortedBy.descending
    )
      return queueMicrotask(() => scroll.scrollTo(0))
    const index = Math.min(scroll.firstInView(), was.columns.count - 1)
    const now = indexOfId(columns, idOfName(columns, nameOfId(was.columns, idAt(was.columns, index))))
    if (now === -1) return
    const moved = topOf(geometry, now) - topOf(was.geometry, index)
    if (moved !== 0) queueMicrotask(() => scroll.scrollTo(scroll.topPx() + moved))
  })
}

function BandOutline({ band, offset }: { readonly band: Band; readonly offset: number }) {
  const { top, bottom, left, right } = band
  const style = { top: top - offset, blockSize: bottom - top, left, inlineSize: right - left }
  return <div className={styles.band} style={style} aria-hidden />
}

function Headings({ geometry, offset }: { readonly geometry: Geometry; readonly offset: number }) {
  const { folders, files } = geometry
  return (
    <>
      {folders.headingTop !== null && (
        <h2 className={styles.heading} style={{ top: folders.headingTop - offset }}>
          {t('listing.folders')}
        </h2>
      )}
      {files.headingTop !== null && (
        <h2 className={styles.heading} style={{ top: files.headingTop - offset }}>
          {t('listing.files')}
        </h2>
      )}
    </>
  )
}

/** The place of a row that is announced and still on its way. */
function Awaited({ index, top }: { readonly index: number; readonly top: number }) {
  return (
    <div
      role="row"
      className={styles.awaited}
      style={{ top }}
      tabIndex={-1}
      aria-rowindex={index + 1}
      aria-label={t('listing.loading')}
      data-index={index}
    >
      <span role="gridcell" className={styles.bar}>
        <span className="visually-hidden">{t('listing.loading')}</span>
      </span>
    </div>
  )
}
