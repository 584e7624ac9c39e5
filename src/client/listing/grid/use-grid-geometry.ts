import type { RefObject } from 'react'
import type { ColumnsSummary } from '../rows/columns.ts'
import { type GridGeometry, geometryOf } from './geometry.ts'
import type { ScrollExtent } from './scroll-position.ts'
import { type GridMetrics, useGridMetrics } from './use-grid-metrics.ts'

type GridGeometryOptions = {
  readonly scroller: RefObject<HTMLElement | null>
  readonly view: 'list' | 'mosaic'
  readonly summary: ColumnsSummary
}

/** Computes the positions of all rows from the size of the view and the numbers of folders and files. */
export function useGridGeometry({ scroller, view, summary }: GridGeometryOptions): {
  readonly metrics: GridMetrics
  readonly geometry: GridGeometry
  readonly extent: ScrollExtent
} {
  const metrics = useGridMetrics(scroller, view)
  const geometry = geometryOf({
    folders: summary.folders,
    total: summary.total,
    columns: metrics.columns,
    lineHeight: metrics.lineHeight,
    headingHeight: metrics.headingHeight,
  })
  const extent = { contentHeight: geometry.height + metrics.padding, viewHeight: metrics.viewHeight }
  return { metrics, geometry, extent }
}
