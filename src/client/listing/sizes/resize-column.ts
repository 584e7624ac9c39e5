import { columnTracks, listColumns, type SizedColumn } from './column-widths.ts'

/** The largest width of each column in rem. Null for the name means the initial width. */
type ColumnWidths = Readonly<Record<SizedColumn, number | null>>

/** The smallest width of each column in rem. */
export const minColumnRem: Readonly<Record<SizedColumn, number>> = {
  name: 12.5,
  type: 6,
  size: 4,
  modified: 5,
}
/** A name of 60 letters fits. Wider columns of names would put the other facts far away from short names. */
const initialNameRem = 28
const initialWidths = { name: null, type: 11, size: 6, modified: 10.5 } as const satisfies ColumnWidths
const maxColumnRem = 200
const checkboxRem = 2.25

/**
 * Returns the tracks of a row: the check box, the columns, and the empty end of a row. A name that was resized leaves at least
 * the smallest widths to the other columns.
 */
export function tracksOf({ name, ...others }: ColumnWidths): readonly string[] {
  const otherTracks = (['type', 'size', 'modified'] as const).map(
    (by) => `minmax(${minColumnRem[by]}rem,${others[by]}rem)`,
  )
  const taken = checkboxRem + minColumnRem.type + minColumnRem.size + minColumnRem.modified
  return [
    `${checkboxRem}rem`,
    name === null
      ? `minmax(${minColumnRem.name}rem,${initialNameRem}rem)`
      : `min(${name}rem,100% - ${taken}rem)`,
    ...otherTracks,
    'minmax(0,1fr)',
  ]
}

/**
 * Returns the tracks of a row with one column as wide as its content. The list of results has more cells than tracks, so the
 * track is found by the column.
 */
export function fittingTracks(by: SizedColumn): readonly string[] {
  const track = 1 + listColumns.findIndex((column) => column.by === by)
  return tracksOf(currentWidths()).with(track, 'max-content')
}

/** Returns the widths from which `tracksOf` made the stored text, or the initial widths for any other text. */
export function currentWidths(): ColumnWidths {
  const text = columnTracks.get()
  const name = /min\((\d+(?:\.\d+)?)rem,100%/.exec(text)?.[1]
  const [type, size, modified] = [...text.matchAll(/minmax\([\d.]+rem,(\d+(?:\.\d+)?)rem\)/g)]
    .map(([, rem]) => Number(rem))
    .slice(name === undefined ? 1 : 0)
  if (type === undefined || size === undefined || modified === undefined) return initialWidths
  return { name: name === undefined ? null : Number(name), type, size, modified }
}

/** Sets the width of a column in rem, within its limits. Null restores the initial width. */
export function resizeColumn(by: SizedColumn, rem: number | null): void {
  const width = rem === null ? initialWidths[by] : Math.min(Math.max(rem, minColumnRem[by]), maxColumnRem)
  const rounded = width === null ? null : Math.round(width * 16) / 16
  const widths = { ...currentWidths(), [by]: rounded }
  const isInitial = listColumns.every((column) => widths[column.by] === initialWidths[column.by])
  columnTracks.set(isInitial ? '' : tracksOf(widths).join(' '))
}
