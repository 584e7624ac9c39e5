/**
 * The positions of all rows. Every line of a section has the same height, so that the rows at a scroll position are
 * found with one division in their section, regardless of the number of rows.
 */
export type GridGeometry = {
  readonly columns: number
  /** The sections that have rows, in the order on screen: the folders, and the files in one section or by date. */
  readonly sections: readonly [GridSection, ...(readonly GridSection[])]
  readonly total: number
  /** The distance between two consecutive lines of files. */
  readonly lineHeight: number
  readonly height: number
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
  return section.top + Math.floor((index - section.first) / geometry.columns) * section.lineHeight
}

/** Returns the distance between the row's line and the next line of its section. */
export const lineHeightOf = (geometry: GridGeometry, index: number): number =>
  sectionAt(geometry, 'first', index).lineHeight

/** Returns the column of a row, counted from 0. */
export const columnOf = (geometry: GridGeometry, index: number): number =>
  (index - sectionAt(geometry, 'first', index).first) % geometry.columns

/** Returns the range of rows whose lines overlap the part of the content from `top` to `bottom`. */
export function rowsBetween({ columns, sections }: GridGeometry, top: number, bottom: number): RowRange {
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
