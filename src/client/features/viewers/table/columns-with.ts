import type { ColumnRange } from './column-geometry.ts'

/** Returns the columns of a range, and an active column outside of it, which keeps the focus while the table is scrolled. */
export function columnsWith(
  { first, end }: ColumnRange,
  active: number | null,
  count: number,
): readonly number[] {
  const columns = Array.from(
    { length: Math.max(0, Math.min(end, count) - first) },
    (_, index) => first + index,
  )
  if (active === null || active >= count || (active >= first && active < end)) return columns
  return active < first ? [active, ...columns] : [...columns, active]
}
