import type { GridGeometry } from '../grid/geometry.ts'
import type { FolderRows } from '../rows/folder-rows.ts'

/** The number of entries up to which a gallery has tiles of its pictures' proportions: the largest folder whose sizes the server lists. */
export const maxTiles = 20_000

/** The sizes of the cards of a mosaic or the tiles of a gallery whose cards are equal, in CSS pixels. */
export type CardMetrics = {
  readonly width: number
  /** The smallest width, from which a card grows until the cards fill the line. */
  readonly minWidth: number
  readonly gap: number
  /** The distance of the first card from the start of the line. */
  readonly start: number
  /** The height of the texts below a picture. */
  readonly textHeight: number
}

/** Places the tiles of a gallery in rows of equal height. */
export type TileLayout = {
  /** Returns the geometry with the tiles of the files, for the geometry of the same rows with equal tiles. */
  readonly layOut: (even: GridGeometry, rows: FolderRows, card: CardMetrics) => GridGeometry
}

/** The ways to place tiles: all anew, or so that visible ones stay where they are. */
export type PlacingMode = 'anew' | 'in place'
