import { useRef } from 'react'
import type { PreviewSize } from '../../../shared/contract/previews.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { useUser } from '../../state/session.ts'
import { useStore } from '../../state/store.ts'
import { classNames } from '../../ui/class-names.ts'
import { listingAfterRows } from '../parts/load-after-rows.ts'
import type { FolderRows } from '../rows/folder-rows.ts'
import {
  type ColumnKey,
  type HeadingOrder,
  type ListColumn,
  listColumns,
  useColumnStyle,
} from '../sizes/column-widths.ts'
import { tileNames } from '../sizes/tile-size.ts'
import { CompactHeader, GridHeader } from './grid-header.tsx'
import { useGridHandle } from './grid-handle.ts'
import { SectionHeadings } from './section-headings.tsx'
import { GridRows } from './grid-rows.tsx'
import type { PlaceColumn } from './place-column.ts'
import type { FolderCoverPart } from '../covers/folder-cover-part.ts'
import type { GridView } from './grid-view.ts'
import type { Listing } from './listing.ts'
import { scrollHeightOf } from './scroll-position.ts'
import { useGridFocus } from './use-grid-focus.ts'
import { useGridGeometry } from './use-grid-geometry.ts'
import { useRowGestures } from './use-row-gestures.ts'
import { useRubberBand } from './use-rubber-band.ts'
import { useScrollAnchor } from './use-scroll-anchor.ts'
import { useScrollWindow } from './use-scroll-window.ts'
import styles from './grid.module.css'

const RubberBandOutline = listingAfterRows.part((module) => module.RubberBandOutline)

type GridProps = {
  readonly listing: Listing
  readonly label: string
  readonly rows: FolderRows
  /** The columns of the list, without the check box. */
  readonly columns?: readonly ListColumn[]
  /** The order that the headings show. */
  readonly order: HeadingOrder
  readonly view: GridView
  readonly isBusy: boolean
  /** Returns the address that the name of an entry links to, or an empty string for a name without a link. */
  readonly hrefOf: (entry: ListedEntry) => string
  /** Returns the URL of an entry's thumbnail, or an empty string when the entry has no thumbnail. */
  readonly thumbnailOf: (entry: ListedEntry, size: PreviewSize) => string
  /** The cells of a further column after the names, such as the folders of results. Without it, rows have no such cell. */
  readonly place?: PlaceColumn
  /** Renders the cover of a folder in the mosaic, in the place of its icon. Without it, folders have their icon. */
  readonly cover?: FolderCoverPart | undefined
  /**
   * True when a press on a name opens the entry, and the name also covers the picture. A press on the rest of a row selects
   * the row.
   */
  readonly opensNames?: boolean
  readonly onSort: (by: ColumnKey) => void
  readonly onFocus?: () => void
  readonly onScroll?: () => void
  readonly onOpen: (index: number) => void
}

/**
 * Renders the listing as a list, a mosaic or a gallery. Only the rows in and near the view are in the document, regardless of
 * the number of rows in the folder.
 */
export function Grid({
  listing,
  label,
  rows,
  columns = listColumns,
  order,
  view,
  isBusy,
  hrefOf,
  thumbnailOf,
  place,
  cover,
  opensNames,
  onSort,
  onFocus,
  onScroll,
  onOpen,
}: GridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const ruler = useRef<HTMLSpanElement>(null)
  const user = useUser()
  const current = useStore(listing.selection)
  const canSelect = useStore(listing.canSelect)
  const { metrics, geometry, extent, isWaiting } = useGridGeometry({
    listing,
    scroller,
    ruler,
    view,
    rows,
    order,
  })
  const scroll = useScrollWindow({ scroller, geometry, extent })
  const anchor = useScrollAnchor(rows, geometry, scroll)
  const focus = useGridFocus({ listing, scroller, rows, scroll, focusId: current.focusId })
  useGridHandle(listing.grid, { scroller, metrics, geometry, scroll, anchor, focus })
  const { band, begin } = useRubberBand({
    listing,
    scroller,
    rows,
    geometry,
    card: metrics.card,
    topPx: scroll.topPx,
    scrollTo: scroll.scrollTo,
    headerHeight: metrics.headerHeight,
  })
  const listeners = useRowGestures({
    listing,
    rows,
    opensOnSingleClick: user?.singleClick ?? false,
    opensNames,
    onOpen,
  })
  const hasHeadings = view === 'list' && !metrics.isCompact
  return (
    <div
      {...listeners}
      onPointerDown={(event) => {
        listeners.onPointerDown?.(event)
        begin(event)
      }}
      ref={scroller}
      className={classNames(styles.scroller, !canSelect && styles.readOnly)}
      data-part={listing.id}
      data-opens-names={opensNames}
      data-tile-names={useStore(tileNames)}
      data-is-waiting={(isWaiting && !place) || undefined}
      id={listing.id}
      onFocus={onFocus}
      onScroll={onScroll}
      style={{ ...metrics.style, ...useColumnStyle() }}
    >
      <span ref={ruler} className={styles.ruler} aria-hidden />
      {metrics.isCompact && <CompactHeader columns={columns} order={order} onSort={onSort} />}
      <div
        role="grid"
        className={styles.grid}
        aria-label={label}
        aria-rowcount={rows.summary.total + Number(hasHeadings)}
        aria-colcount={columns.length - Number(!hasHeadings) + Number(canSelect)}
        aria-multiselectable={canSelect}
        aria-busy={isBusy}
      >
        {hasHeadings && (
          <GridHeader
            columns={columns}
            order={order}
            onSort={onSort}
            onLeave={() => focus.focusIndex(focus.tabStop)}
          />
        )}
        <div
          role="rowgroup"
          className={styles.content}
          style={{ blockSize: scrollHeightOf(extent.contentHeight) }}
        >
          <GridRows
            listing={listing}
            rows={rows}
            selection={current}
            view={view}
            geometry={geometry}
            metrics={metrics}
            range={scroll.rows}
            offset={scroll.offset}
            focusedIndex={focus.focusedIndex}
            tabStop={focus.tabStop}
            headerRows={Number(hasHeadings)}
            hasExactDates={user?.dateFormat ?? false}
            hrefOf={hrefOf}
            thumbnailOf={isWaiting && !place ? () => '' : thumbnailOf}
            place={place}
            cover={view === 'mosaic' ? cover : undefined}
          />
        </div>
      </div>
      {band !== null && <RubberBandOutline band={band} offset={scroll.offset - metrics.headerHeight} />}
      <SectionHeadings sections={geometry.sections} range={scroll.rows} offset={scroll.offset} />
    </div>
  )
}
