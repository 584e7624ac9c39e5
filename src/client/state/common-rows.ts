import type { RowSet } from './row-set.ts'

/** Returns the rows that are in both sets. */
export function commonRows(a: RowSet, b: RowSet): RowSet {
  const bits = a.bits.map((word, at) => word & (b.bits[at] ?? 0))
  let count = 0
  for (let word of bits) for (; word !== 0; word &= word - 1) count += 1
  return { bits, count }
}
