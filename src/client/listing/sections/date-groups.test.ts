import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowOrderOf } from '../../../shared/domain/sorting.ts'
import { appendRows } from '../rows/column-writes.ts'
import { createColumns, publishSummary } from '../rows/columns.ts'
import { currentRows } from '../rows/folder-rows.ts'
import { dateGroupsOf } from './date-groups.ts'
import { rowsBetween, topOf } from '../grid/geometry.ts'
import { geometryOf } from './place-sections.ts'

const folders = 3

/** Returns the rows of some folders and of files with these times, sorted by time. */
function rowsAt(times: readonly number[], isDescending: boolean) {
  const columns = createColumns(rowOrderOf({ by: 'modified', asc: !isDescending }))
  const sorted = times.toSorted((a, b) => (isDescending ? b - a : a - b))
  appendRows(columns, [
    ...Array.from({ length: folders }, (_, at) => [`f${at}`, 0, 5e11, '', 1] as const).map(([...row]) => row),
    ...sorted.map((time, at): [string, number, number, string, number] => [`${at}.jpg`, 1, time, 'image', 0]),
  ])
  publishSummary(columns)
  return { rows: currentRows(columns), sorted }
}

const monthOf = (timeMs: number) => {
  const date = new Date(timeMs)
  return new Date(date.getFullYear(), date.getMonth()).getTime()
}

test('each group begins at the first file of a month, in both directions', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -1e12, max: 2e12 }), { maxLength: 60 }),
      fc.boolean(),
      (times, isDescending) => {
        const { rows, sorted } = rowsAt(times, isDescending)
        const months = sorted.map(monthOf)
        const expected = months.flatMap((timeMs, at) =>
          timeMs === months[at - 1] ? [] : { first: folders + at, timeMs },
        )
        expect(dateGroupsOf(rows)).toEqual(expected)
      },
    ),
  )
})

test('the rows of a window are those of the months in it', () => {
  const { rows } = rowsAt(
    Array.from({ length: 40 }, (_, at) => new Date(2025, Math.floor(at / 10), 5).getTime()),
    true,
  )
  const geometry = geometryOf({
    folders,
    total: 43,
    columns: 4,
    lineHeight: 100,
    folderLineHeight: 40,
    headingHeight: 30,
    groups: dateGroupsOf(rows),
  })
  expect(geometry.sections.map(({ headingTop }) => headingTop)).toEqual([0, 70, 400, 730, 1060])
  expect([topOf(geometry, 0), topOf(geometry, 3), topOf(geometry, 13)]).toEqual([30, 100, 430])
  expect(rowsBetween(geometry, 300, 440)).toEqual({ first: 11, end: 17 })
  expect(geometry.height).toBe(1390)
})
