/** The layouts of the grid: one row for each entry, cards with facts, or square tiles with large pictures. */
export type GridView = 'list' | 'mosaic' | 'gallery'
