import { expect, test } from 'vitest'
import { geometryOf } from '../sections/place-sections.ts'
import { monthAfterKey, monthAt, monthMarksOf, yearMarksOf } from './month-marks.ts'

/** Fourteen months from December 2025 back, with ten pictures each, four in a line, below a folder. */
const geometry = geometryOf({
  folders: 1,
  total: 141,
  columns: 4,
  lineHeight: 100,
  folderLineHeight: 40,
  headingHeight: 30,
  groups: Array.from({ length: 14 }, (_, at) => ({ first: 1 + at * 10, timeMs: +new Date(2025, 11 - at) })),
})
const months = monthMarksOf(geometry)

test('each month is found at its heading, and a list without months has none', () => {
  expect(months.slice(0, 2)).toEqual([
    { timeMs: +new Date(2025, 11), topPx: 70 },
    { timeMs: +new Date(2025, 10), topPx: 400 },
  ])
  expect([0, 70, 399, 400, 1e9].map((topPx) => monthAt(months, topPx))).toEqual([0, 0, 1, 1, 13])
  const plain = { folders: 1, total: 9, columns: 1, lineHeight: 40, headingHeight: 0 }
  expect(monthMarksOf(geometryOf(plain))).toEqual([])
})

/** Returns the years that have a label beside a track with room for a number of labels. */
const yearsAt = (labels: number): readonly number[] =>
  yearMarksOf(months, { contentHeight: geometry.height, labels }).map(({ timeMs }) =>
    new Date(timeMs).getFullYear(),
  )

/** Returns the index of the month to which a key leads. */
function targetOf(key: string, at: number): number | null {
  const month = monthAfterKey(key, months, at)
  return month === null ? null : months.indexOf(month)
}

test('each year has a label at its first month, unless it would touch the one before', () => {
  expect(yearsAt(25)).toEqual([2025, 2024])
  expect(yearsAt(0.7)).toEqual([2025])
})

test('the keys go by months and years, and stop at the ends', () => {
  expect([
    targetOf('ArrowDown', 0),
    targetOf('ArrowUp', 0),
    targetOf('PageDown', 1),
    targetOf('PageUp', 13),
  ]).toEqual([1, 0, 13, 1])
  expect([targetOf('Home', 5), targetOf('End', 5), targetOf('ArrowDown', 13), targetOf('a', 5)]).toEqual([
    0,
    13,
    13,
    null,
  ])
})
