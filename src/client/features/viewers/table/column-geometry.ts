/** The places of the columns of a table. Distances are measured from the start of a row, in CSS pixels. */
export type ColumnGeometry = {
  /** The width of the column with the numbers of the rows. */
  readonly numbersPx: number
  /** The start of each column, and the end of the last one. */
  readonly starts: Float64Array
}

/** A range of columns: `first` is included, `end` is not. */
export type ColumnRange = { readonly first: number; readonly end: number }

/** The width of a character and the padding of a cell, in rem. Text of 0.8125 rem has characters of about half of that. */
const characterRem = 0.46
const paddingRem = 1.25
/** Columns beside the visible ones that are rendered, too, so that most scroll events cause no rendering. */
const extraColumns = 3

export function columnGeometry(
  widths: readonly number[],
  { rows, remPx }: { readonly rows: number; readonly remPx: number },
): ColumnGeometry {
  const pxOf = (characters: number): number => columnPx(characters, remPx)
  const numbersPx = pxOf(Math.max(3, String(rows).length) + 1)
  const starts = new Float64Array(widths.length + 1)
  let at = numbersPx
  for (const [column, width] of widths.entries()) {
    starts[column] = at
    at += pxOf(width)
  }
  starts[widths.length] = at
  return { numbersPx, starts }
}

/** Returns the width of a column for this many characters, in CSS pixels. */
export const columnPx = (characters: number, remPx: number): number =>
  Math.round((characters * characterRem + paddingRem) * remPx)

/** Returns the number of characters for which a column has this width in CSS pixels. It may be a fraction. */
export const charactersIn = (px: number, remPx: number): number => (px / remPx - paddingRem) / characterRem

export const startOfColumn = ({ starts }: ColumnGeometry, column: number): number => starts[column] ?? 0

export const widthOfColumn = ({ starts }: ColumnGeometry, column: number): number =>
  (starts[column + 1] ?? 0) - (starts[column] ?? 0)

/** Returns the columns in and near a view of this width that is scrolled by `scrolledPx`. */
export function columnsInView(geometry: ColumnGeometry, scrolledPx: number, widthPx: number): ColumnRange {
  const count = geometry.starts.length - 1
  const first = columnAt(geometry, scrolledPx + geometry.numbersPx)
  const last = columnAt(geometry, scrolledPx + widthPx)
  return { first: Math.max(0, first - extraColumns), end: Math.min(count, last + 1 + extraColumns) }
}

/** Returns how far a view must be scrolled so that a column is visible beside the numbers of the rows. */
export function scrollToColumn(
  geometry: ColumnGeometry,
  column: number,
  { scrolledPx, widthPx }: { readonly scrolledPx: number; readonly widthPx: number },
): number {
  const start = startOfColumn(geometry, column)
  const end = start + widthOfColumn(geometry, column)
  const first = start - geometry.numbersPx
  if (first < scrolledPx) return first
  return end > scrolledPx + widthPx ? Math.min(first, end - widthPx) : scrolledPx
}

function columnAt({ starts }: ColumnGeometry, px: number): number {
  let low = 0
  let high = Math.max(0, starts.length - 2)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= px) low = middle
    else high = middle - 1
  }
  return low
}
