import { expect, test } from 'vitest'
import { geometryOf } from '../../../listing/sections/place-sections.ts'
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

test('each year has a label at its first month, unless it would touch the one before', () => {
  const yearsAt = (trackHeight: number) =>
    yearMarksOf(months, { contentHeight: geometry.height, trackHeight }).map(({ timeMs }) =>
      new Date(timeMs).getFullYear(),
    )
  expect(yearsAt(700)).toEqual([2025, 2024])
  expect(yearsAt(20)).toEqual([2025])
})

test('the keys go by months and years, and stop at the ends', () => {
  const target = (key: string, at: number) => {
    const month = monthAfterKey(key, months, at)
    return month === null ? null : months.indexOf(month)
  }
  expect([target('ArrowDown', 0), target('ArrowUp', 0), target('PageDown', 1), target('PageUp', 13)]).toEqual(
    [1, 0, 13, 1],
  )
  expect([target('Home', 5), target('End', 5), target('ArrowDown', 13), target('a', 5)]).toEqual([
    0,
    13,
    13,
    null,
  ])
})
