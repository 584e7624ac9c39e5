import type { ViewMode } from '../../../shared/contract/fields/user-fields.ts'

/** The layouts of the grid: one row for each entry, cards with facts, or tiles with large pictures. */
export type GridView = 'list' | 'mosaic' | 'gallery'

/** Returns the view of the grid for a stored view mode. */
export const gridViewOf = (mode: ViewMode = 'list'): GridView =>
  mode === 'mosaic gallery' ? 'gallery' : mode
