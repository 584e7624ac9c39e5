import { expect, test } from 'vitest'
import { hasDate } from './archive-tree.ts'

test('the times of members without a time are recognized', () => {
  // A time of 0 in a ZIP archive is the 30th of November 1979, because its month and its day are 0.
  expect(hasDate(new Date(1980, -1, 0).getTime())).toBe(false)
  expect(hasDate(0)).toBe(false)
  expect(hasDate(Number.NaN)).toBe(false)
  expect(hasDate(new Date(1980, 0, 1).getTime())).toBe(true)
})
