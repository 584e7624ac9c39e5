import type { PreviewSize } from '../../../shared/contract/previews.ts'

/**
 * The positions of all rows. Every line of a section has the same height, so that the rows at a scroll position are
 * found with one division in their section, regardless of the number of rows. The files of a gallery are in rows of tiles instead.
 */
export type GridGeometry = {
  readonly columns: number
  /** The sections that have rows, in the order on screen: the folders, and the files in one section or by date. */
  readonly sections: readonly [GridSection, ...(readonly GridSection[])]
  readonly total: number
  /** The distance between two consecutive lines of files. */
  readonly lineHeight: number
  readonly height: number
  /** The places of the files in a gallery whose tiles have the proportions of the pictures. */
  readonly tiles?: TileRows
}

/** A tile of a gallery, in CSS pixels. `step` is the distance from its row to the next one. */
type Tile = {
  readonly top: number
  readonly step: number
  /** The distance from the start of the line. */
  readonly start: number
  readonly width: number
  readonly height: number
  /** The smallest preview that is sharp in the tile. */
  readonly size: PreviewSize
}

/** The places of the tiles of a gallery, in rows of equal height. */
export type TileRows = {
  /** Returns the tile of a file, or undefined for a folder. */
  readonly tileAt: (index: number) => Tile | undefined
  /** Does what the function of the same name does. */
  readonly rowsBetween: (top: number, bottom: number) => RowRange
  /** Returns the row that is horizontally nearest to another one, a number of lines below or above it. */
  readonly rowByLines: (index: number, lines: number) => number
  /** The width of each tile as a multiple of its height, from the first file on. */
  readonly ratios: Float32Array
  /** The height to which the rows come as close as they can. */
  readonly target: number
}

/**
 * A part of the grid. `first` is the index of its first row, and `firstLine` the number of lines before it. `top` is the
 * distance of its first line from the start of the content; the section's heading, if any, is above that line.
 * `lineHeight` is the distance between two consecutive lines.
 */
export type GridSection = {
  /** The kind of the rows, which their heading names, or the time at which their month begins. */
  readonly title: 'folders' | 'files' | number
  readonly first: number
  readonly count: number
  readonly firstLine: number
  readonly top: number
  readonly headingTop: number | null
  readonly lineHeight: number
}

/** The files of a month: the index of the first one, and the time at which the month begins. */
export type DateGroup = { readonly first: number; readonly timeMs: number }

/** A range of row indexes: `first` is included, `end` is not. */
export type RowRange = { readonly first: number; readonly end: number }

/** Returns the last section that begins at a row or a line, or before it. Ten years of pictures are 120 sections. */
export const sectionAt = (
  { sections }: GridGeometry,
  from: 'first' | 'firstLine',
  value: number,
): GridSection => sections.findLast((section) => section[from] <= value) ?? sections[0]

/** Returns the distance of a row's line from the start of the content. */
export function topOf(geometry: GridGeometry, index: number): number {
  const section = sectionAt(geometry, 'first', index)
  const tile = geometry.tiles?.tileAt(index)
  return (
    tile?.top ?? section.top + Math.floor((index - section.first) / geometry.columns) * section.lineHeight
  )
}

/** Returns the distance between the row's line and the next line of its section. */
export const lineHeightOf = (geometry: GridGeometry, index: number): number =>
  geometry.tiles?.tileAt(index)?.step ?? sectionAt(geometry, 'first', index).lineHeight

/** Returns the column of a row, counted from 0. */
export const columnOf = (geometry: GridGeometry, index: number): number =>
  (index - sectionAt(geometry, 'first', index).first) % geometry.columns

/** Returns the range of rows whose lines overlap the part of the content from `top` to `bottom`. */
export function rowsBetween(
  { columns, sections, tiles }: Pick<GridGeometry, 'columns' | 'sections' | 'tiles'>,
  top: number,
  bottom: number,
): RowRange {
  if (tiles) return tiles.rowsBetween(top, bottom)
  let range = { first: 0, end: 0 }
  for (const { first, count, top: start, lineHeight } of sections) {
    const firstLine = Math.max(Math.floor((top - start) / lineHeight), 0)
    const endLine = Math.max(Math.ceil((bottom - start) / lineHeight), 0)
    const from = first + Math.min(firstLine * columns, count)
    const end = first + Math.min(endLine * columns, count)
    if (end > from) range = { first: range.end > 0 ? range.first : from, end }
  }
  return range
}
