/**
 * The positions of all rows. Every line of a section has the same height, so that the rows at a scroll position are
 * found with one division, regardless of the number of rows.
 */
export type GridGeometry = {
  readonly columns: number
  readonly folders: GridSection
  readonly files: GridSection
  readonly height: number
}

/**
 * One of the two parts of the grid: the folders or the files. `first` is the index of its first row. `top` is the
 * distance of its first line from the start of the content; the section's heading, if any, is above that line.
 * `lineHeight` is the distance between two consecutive lines.
 */
type GridSection = {
  readonly first: number
  readonly count: number
  readonly top: number
  readonly headingTop: number | null
  readonly lineHeight: number
}

export type GridGeometryInput = {
  readonly folders: number
  readonly total: number
  readonly columns: number
  readonly lineHeight: number
  /** The distance between two lines of folders. Without this value, folders are as high as files. */
  readonly folderLineHeight?: number
  /** The height of a section's heading in CSS pixels; 0 in a layout without headings. Only two sections have headings. */
  readonly headingHeight: number
  /** The room above the first line where no heading is, in CSS pixels. */
  readonly topPadding?: number
}

/** A range of row indexes: `first` is included, `end` is not. */
export type RowRange = { readonly first: number; readonly end: number }

export function geometryOf(facts: GridGeometryInput): GridGeometry {
  const { columns, total, lineHeight, folderLineHeight = lineHeight, topPadding = 0 } = facts
  const folderCount = Math.min(facts.folders, total)
  const fileCount = total - folderCount
  const headingHeight = folderCount > 0 && fileCount > 0 ? facts.headingHeight : 0
  const placeFrom = (from: number): Pick<GridSection, 'top' | 'headingTop'> => ({
    top: from + headingHeight,
    headingTop: headingHeight > 0 ? from : null,
  })
  const start = headingHeight > 0 ? 0 : topPadding
  const folders = { first: 0, count: folderCount, lineHeight: folderLineHeight, ...placeFrom(start) }
  const foldersEnd = folders.top + linesOf(folderCount, columns) * folderLineHeight
  // Without headings the files follow the folders directly, which looks seamless only in a single column.
  const files = { first: folderCount, count: fileCount, lineHeight, ...placeFrom(foldersEnd) }
  const height = fileCount === 0 ? foldersEnd : files.top + linesOf(fileCount, columns) * lineHeight
  return { columns, folders, files, height: total === 0 ? 0 : height }
}

const linesOf = (count: number, columns: number): number => Math.ceil(count / columns)

const sectionAt = ({ folders, files }: GridGeometry, index: number): GridSection =>
  index < files.first ? folders : files

/** Returns the distance of a row's line from the start of the content. */
export function topOf(geometry: GridGeometry, index: number): number {
  const section = sectionAt(geometry, index)
  return section.top + Math.floor((index - section.first) / geometry.columns) * section.lineHeight
}

/** Returns the distance between the row's line and the next line of its section. */
export const lineHeightOf = (geometry: GridGeometry, index: number): number =>
  sectionAt(geometry, index).lineHeight

/** Returns the column of a row, counted from 0. */
export const columnOf = (geometry: GridGeometry, index: number): number =>
  (index - sectionAt(geometry, index).first) % geometry.columns

/** Returns the range of rows whose lines overlap the part of the content from `top` to `bottom`. */
export function rowsBetween(geometry: GridGeometry, top: number, bottom: number): RowRange {
  const parts = [geometry.folders, geometry.files]
    .map((section) => partOf(geometry, section, { top, bottom }))
    .filter(({ first, end }) => end > first)
  return { first: parts.at(0)?.first ?? 0, end: parts.at(-1)?.end ?? 0 }
}

function partOf(
  { columns }: GridGeometry,
  { first, count, top: start, lineHeight }: GridSection,
  { top, bottom }: { readonly top: number; readonly bottom: number },
): RowRange {
  const firstLine = Math.max(Math.floor((top - start) / lineHeight), 0)
  const endLine = Math.max(Math.ceil((bottom - start) / lineHeight), 0)
  return {
    first: first + Math.min(firstLine * columns, count),
    end: first + Math.min(endLine * columns, count),
  }
}

/**
 * Returns the row in the same column that is `lines` lines below `index`, or above it for a negative number. When the
 * target line is too short or does not exist, returns the nearest row.
 */
export function rowByLines(geometry: GridGeometry, index: number, lines: number): number {
  const { columns, folders, files } = geometry
  const target = lineOf(geometry, index) + lines
  const folderLines = linesOf(folders.count, columns)
  const line = Math.min(Math.max(target, 0), folderLines + linesOf(files.count, columns) - 1)
  const section = line < folderLines ? folders : files
  const from = section.first + (line - (section === files ? folderLines : 0)) * columns
  return Math.min(from + columnOf(geometry, index), section.first + section.count - 1)
}

/** Returns the line of a row. Lines are counted from 0, starting with the folders and continuing with the files. */
function lineOf({ columns, folders, files }: GridGeometry, index: number): number {
  if (index < files.first) return Math.floor(index / columns)
  return linesOf(folders.count, columns) + Math.floor((index - files.first) / columns)
}

/** Returns the rows that overlap a rectangle. The rectangle includes both its first and its last column. */
export function rowsInBox(
  geometry: GridGeometry,
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
