import type { RefObject } from 'react'
import type { FolderRows } from '../rows/folder-rows.ts'
import type { HeadingOrder } from '../sizes/column-widths.ts'
import { useStore } from '../../state/store.ts'
import { dateGroupsOf } from '../sections/date-groups.ts'
import type { GridGeometry } from './geometry.ts'
import { geometryOf } from '../sections/place-sections.ts'
import type { ScrollExtent } from './scroll-position.ts'
import type { Listing } from './listing.ts'
import type { GridView } from './grid-view.ts'
import { type GridMetrics, useGridMetrics } from './use-grid-metrics.ts'

type GridGeometryOptions = {
  readonly listing: Listing
  readonly scroller: RefObject<HTMLElement | null>
  /** An invisible element with a height of 1 rem. */
  readonly ruler: RefObject<HTMLElement | null>
  readonly view: GridView
  readonly rows: FolderRows
  readonly order: HeadingOrder
}

/** Computes the positions of all rows from the size of the view and the numbers of folders and files. */
export function useGridGeometry({ listing, scroller, ruler, view, rows, order }: GridGeometryOptions): {
  readonly metrics: GridMetrics
  readonly geometry: GridGeometry
  readonly extent: ScrollExtent
  /** True while the layout of a gallery is not decided. Its tiles are not visible, and thumbnails would delay the proportions. */
  readonly isWaiting: boolean
} {
  const metrics = useGridMetrics({ listing, scroller, ruler, view })
  const tiles = useStore(listing.tiles)
  const { folders, total } = rows.summary
  const hasDates = view === 'gallery' && order.by === 'modified'
  const even = geometryOf({
    folders,
    total,
    groups: hasDates ? dateGroupsOf(rows) : [],
    columns: metrics.columns,
    lineHeight: metrics.lineHeight,
    folderLineHeight: metrics.folderLineHeight,
    headingHeight: metrics.headingHeight,
    topPadding: metrics.topPadding,
  })
  const { card } = metrics
  const geometry = (view === 'gallery' && card && tiles?.layOut(even, rows, card)) || even
  const extent = { contentHeight: geometry.height + metrics.padding, viewHeight: metrics.viewHeight }
  return { metrics, geometry, extent, isWaiting: view === 'gallery' && tiles === null }
}
