import { flagFolder, idAt, type ListingColumns } from './columns.ts'

/**
 * Returns the sum of the sizes and of the times of all rows that are not folders, as the server reports it at the start of a
 * watch. Sizes are in bytes, and times in milliseconds.
 */
export function sumOfSizesAndTimes(columns: ListingColumns): number {
  let sum = 0
  for (let index = 0; index < columns.count; index += 1) {
    const id = idAt(columns, index)
    if (((columns.flags[id] ?? 0) & flagFolder) === 0)
      sum += (columns.sizes[id] ?? 0) + (columns.modified[id] ?? 0)
  }
  return sum
}
