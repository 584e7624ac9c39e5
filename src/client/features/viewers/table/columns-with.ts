import type { ColumnRange } from './column-geometry.ts'

/** Returns the columns of a range, and an active column outside of it, which keeps the focus while the table is scrolled. */
export function columnsWith(
  { first, end }: ColumnRange,
  active: number | null,
  count: number,
): readonly number[] {
  const columns: number[] = []
  for (let column = first; column < Math.min(end, count); column += 1) columns.push(column)
  if (active === null || active >= count || columns.includes(active)) return columns
  return active < first ? [active, ...columns] : [...columns, active]
}
