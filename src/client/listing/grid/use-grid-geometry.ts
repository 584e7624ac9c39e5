import type { RefObject } from 'react'
import type { ColumnsSummary } from '../rows/columns.ts'
import { type GridGeometry, geometryOf } from './geometry.ts'
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
  readonly summary: ColumnsSummary
}

/** Computes the positions of all rows from the size of the view and the numbers of folders and files. */
export function useGridGeometry({ listing, scroller, ruler, view, summary }: GridGeometryOptions): {
  readonly metrics: GridMetrics
  readonly geometry: GridGeometry
  readonly extent: ScrollExtent
} {
  const metrics = useGridMetrics({ listing, scroller, ruler, view })
  const geometry = geometryOf({
    folders: summary.folders,
    total: summary.total,
    columns: metrics.columns,
    lineHeight: metrics.lineHeight,
    folderLineHeight: metrics.folderLineHeight,
    headingHeight: metrics.headingHeight,
    topPadding: metrics.topPadding,
  })
  const extent = { contentHeight: geometry.height + metrics.padding, viewHeight: metrics.viewHeight }
  return { metrics, geometry, extent }
}
