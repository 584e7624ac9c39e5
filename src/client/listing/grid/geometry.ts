/**
 * The positions of all rows. Every line of a section has the same height, so that a division finds the rows at a scroll
 * position, however many there are.
 */
export type Geometry = {
  readonly columns: number
  readonly lineHeight: number
  readonly folders: Section
  readonly files: Section
  readonly height: number
}

/**
 * The part of the grid that holds the folders, or the files. `first` is the index of its first row. `top` is the
 * distance of its first line from the start of the content; its heading, if it has one, is above that line.
 */
type Section = {
  readonly first: number
  readonly count: number
  readonly top: number
  readonly headingTop: number | null
}

export type GeometryInput = {
  readonly folders: number
  readonly total: number
  readonly columns: number
  readonly lineHeight: number
  /** 0 when files follow folders without headings. */
  readonly headingHeight: number
}

/** The rows with an index in [first, end). */
export type Range = { readonly first: number; readonly end: number }

export function geometryOf(facts: GeometryInput): Geometry {
  const { columns, lineHeight, headingHeight } = facts
  const folders = sectionOf(facts, { first: 0, count: Math.min(facts.folders, facts.total), from: 0 })
  const foldersEnd = folders.top + linesOf(folders.count, columns) * lineHeight
  const count = facts.total - folders.count
  const files = sectionOf(facts, { first: folders.count, count, from: foldersEnd })
  // Without headings the files follow the folders directly, which looks seamless only in a single column.
  const height = count === 0 ? foldersEnd : files.top + linesOf(count, columns) * lineHeight
  return {
    columns,
    lineHeight,
    folders,
    files,
    height: headingHeight === 0 && facts.total === 0 ? 0 : height,
  }
}

function sectionOf(
  { headingHeight }: GeometryInput,
  { first, count, from }: { readonly first: number; readonly count: number; readonly from: number },
): Section {
  const hasHeading = headingHeight > 0 && count > 0
  return { first, count, top: from + (hasHeading ? headingHeight : 0), headingTop: hasHeading ? from : null }
}

const linesOf = (count: number, columns: number): number => Math.ceil(count / columns)

const sectionAt = ({ folders, files }: Geometry, index: number): Section =>
  index < files.first ? folders : files

/** Returns the distance of a row's line from the start of the content. */
export function topOf(geometry: Geometry, index: number): number {
  const section = sectionAt(geometry, index)
  return section.top + Math.floor((index - section.first) / geometry.columns) * geometry.lineHeight
}

/** Returns the column of a row, counted from 0. */
export const columnOf = (geometry: Geometry, index: number): number =>
  (index - sectionAt(geometry, index).first) % geometry.columns

/** Returns the rows whose lines overlap the part of the content from `top` to `bottom`. */
export function rowsBetween(geometry: Geometry, top: number, bottom: number): Range {
  const parts = [geometry.folders, geometry.files]
    .map((section) => partOf(geometry, section, { top, bottom }))
    .filter(({ first, end }) => end > first)
  return { first: parts.at(0)?.first ?? 0, end: parts.at(-1)?.end ?? 0 }
}

function partOf(
  { columns, lineHeight }: Geometry,
  { first, count, top: start }: Section,
  { top, bottom }: { readonly top: number; readonly bottom: number },
): Range {
  const firstLine = Math.max(Math.floor((top - start) / lineHeight), 0)
  const endLine = Math.max(Math.ceil((bottom - start) / lineHeight), 0)
  return {
    first: first + Math.min(firstLine * columns, count),
    end: first + Math.min(endLine * columns, count),
  }
}

/**
 * Returns the row that is a number of lines further down, or further up for a negative number. Where that line is
 * shorter or does not exist, returns the nearest row.
 */
export function rowByLines(geometry: Geometry, index: number, lines: number): number {
  const { columns, folders, files } = geometry
  const target = lineOf(geometry, index) + lines
  const folderLines = linesOf(folders.count, columns)
  const line = Math.min(Math.max(target, 0), folderLines + linesOf(files.count, columns) - 1)
  const section = line < folderLines ? folders : files
  const from = section.first + (line - (section === files ? folderLines : 0)) * columns
  return Math.min(from + columnOf(geometry, index), section.first + section.count - 1)
}

/** Returns the line of a row, counted from 0 over both sections. */
function lineOf({ columns, folders, files }: Geometry, index: number): number {
  if (index < files.first) return Math.floor(index / columns)
  return linesOf(folders.count, columns) + Math.floor((index - files.first) / columns)
}

/** Returns the rows that overlap a rectangle. The first and the last column belong to it. */
export function rowsInBox(
  geometry: Geometry,
  box: {
    readonly top: number
    readonly bottom: number
    readonly firstColumn: number
    readonly lastColumn: number
  },
): number[] {
  const { first, end } = rowsBetween(geometry, box.top, box.bottom)
  const indexes: number[] = []
  for (let index = first; index < end; index += 1) {
    const column = columnOf(geometry, index)
    if (column >= box.firstColumn && column <= box.lastColumn) indexes.push(index)
  }
  return indexes
}
