import type { SortKey } from '../../../shared/domain/sorting.ts'
import { columnTracks, listColumns } from './column-widths.ts'

/** The width of each column in rem. Null for the name means the space that the other columns leave. */
type ColumnWidths = Readonly<Record<SortKey, number | null>>

/** The smallest width of each column in rem. */
export const minColumnRem: Readonly<Record<SortKey, number>> = { name: 12.5, size: 4, modified: 5 }
const initialWidths: ColumnWidths = { name: null, size: 6, modified: 10.5 }
const maxColumnRem = 200
const checkboxRem = 2.25

/**
 * Returns the tracks of a row: the check box, the columns, and the empty end of a row whose name was resized. A name
 * that was resized leaves at least the smallest widths to the other columns.
 */
export function tracksOf({ name, size, modified }: ColumnWidths): readonly string[] {
  const others = checkboxRem + minColumnRem.size + minColumnRem.modified
  return [
    `${checkboxRem}rem`,
    name === null ? `minmax(${minColumnRem.name}rem,1fr)` : `min(${name}rem,100% - ${others}rem)`,
    `minmax(${minColumnRem.size}rem,${size}rem)`,
    `minmax(${minColumnRem.modified}rem,${modified}rem)`,
    ...(name === null ? [] : ['minmax(0,1fr)']),
  ]
}

/**
 * Returns the tracks of a row with one column as wide as its content. The list of results has more cells than tracks, so the
 * track is found by the column.
 */
export function fittingTracks(by: SortKey): readonly string[] {
  const track = 1 + listColumns.findIndex((column) => column.by === by)
  return tracksOf(currentWidths()).with(track, 'max-content')
}

/** Returns the widths from which `tracksOf` made the stored text, or the initial widths for any other text. */
export function currentWidths(): ColumnWidths {
  const text = columnTracks.get()
  const name = /min\((\d+(?:\.\d+)?)rem,100%/.exec(text)?.[1]
  const [size, modified] = [...text.matchAll(/minmax\([\d.]+rem,(\d+(?:\.\d+)?)rem\)/g)].map(([, rem]) =>
    Number(rem),
  )
  if (size === undefined || modified === undefined) return initialWidths
  return { name: name === undefined ? null : Number(name), size, modified }
}

/** Sets the width of a column in rem, within its limits. Null restores the initial width. */
export function resizeColumn(by: SortKey, rem: number | null): void {
  const width = rem === null ? initialWidths[by] : Math.min(Math.max(rem, minColumnRem[by]), maxColumnRem)
  const rounded = width === null ? null : Math.round(width * 16) / 16
  const widths = { ...currentWidths(), [by]: rounded }
  const isInitial = listColumns.every((column) => widths[column.by] === initialWidths[column.by])
  columnTracks.set(isInitial ? '' : tracksOf(widths).join(' '))
}
