/** Where rows stand, as arithmetic: every line of a section has the same height, so that a window is a division. */
export type Geometry = {
  readonly columns: number
  readonly lineHeight: number
  readonly folders: Section
  readonly files: Section
  readonly height: number
}

/** Folders or files: `first` is the index of its first row, `top` where its lines begin, below its heading if it has one. */
type Section = {
  readonly first: number
  readonly count: number
  readonly top: number
  readonly headingTop: number | null
}

export type GeometryFacts = {
  readonly folders: number
  readonly total: number
  readonly columns: number
  readonly lineHeight: number
  /** 0 where folders and files follow each other without headings. */
  readonly headingHeight: number
}

/** Rows with an index in [first, end). */
export type Range = { readonly first: number; readonly end: number }

export function geometryOf(facts: GeometryFacts): Geometry {
  const { columns, lineHeight, headingHeight } = facts
  const folders = sectionOf(facts, { first: 0, count: Math.min(facts.folders, facts.total), from: 0 })
  const foldersEnd = folders.top + linesOf(folders.count, columns) * lineHeight
  const count = facts.total - folders.count
  const files = sectionOf(facts, { first: folders.count, count, from: foldersEnd })
  // Without headings both sections are one grid, which only a single column makes seamless.
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
  { headingHeight }: GeometryFacts,
  { first, count, from }: { readonly first: number; readonly count: number; readonly from: number },
): Section {
  const hasHeading = headingHeight > 0 && count > 0
  return { first, count, top: from + (hasHeading ? headingHeight : 0), headingTop: hasHeading ? from : null }
}

const linesOf = (count: number, columns: number): number => Math.ceil(count / columns)

const sectionAt = ({ folders, files }: Geometry, index: number): Section =>
  index < files.first ? folders : files

/** The distance of a row's line from the start of the content. */
export function topOf(geometry: Geometry, index: number): number {
  const section = sectionAt(geometry, index)
  return section.top + Math.floor((index - section.first) / geometry.columns) * geometry.lineHeight
}

/** Which of the columns a row stands in. */
export const columnOf = (geometry: Geometry, index: number): number =>
  (index - sectionAt(geometry, index).first) % geometry.columns

/** The rows whose lines touch the stretch from `top` to `bottom`. */
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

/** The row a line further up or down (`lines` negative or positive); the nearest one where that line is shorter or missing. */
export function rowByLines(geometry: Geometry, index: number, lines: number): number {
  const { columns, folders, files } = geometry
  const wanted = lineOf(geometry, index) + lines
  const folderLines = linesOf(folders.count, columns)
  const line = Math.min(Math.max(wanted, 0), folderLines + linesOf(files.count, columns) - 1)
  const section = line < folderLines ? folders : files
  const from = section.first + (line - (section === files ? folderLines : 0)) * columns
  return Math.min(from + columnOf(geometry, index), section.first + section.count - 1)
}

/** The line that a row stands on, counted from 0 over both sections. */
export function lineOf({ columns, folders, files }: Geometry, index: number): number {
  if (index < files.first) return Math.floor(index / columns)
  return linesOf(folders.count, columns) + Math.floor((index - files.first) / columns)
}

/** Rows that a rectangle touches; columns are `[first, last]`, both included. */
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
