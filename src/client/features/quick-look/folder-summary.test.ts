import { expect, test } from 'vitest'
import { readSummary } from './folder-summary.ts'

/** Returns a response with a JSON value on each line. */
const linesOf = (...values: readonly unknown[]) =>
  new Response(values.map((value) => `${JSON.stringify(value)}\n`).join(''))

test('the newest entries are named across folders and files, and all are counted', async () => {
  const rows = [
    ['new folder', 0, 90, '', 1],
    ['old folder', 0, 10, '', 1],
    ...[100, 80, 60, 40, 20].map((time) => [`file ${time}`, 1, time, 'text', 0]),
  ]
  const summary = await readSummary(linesOf({ numDirs: 2, total: 1000 }, rows, rows))
  expect([summary.folders, summary.files]).toEqual([2, 998])
  expect(summary.recent.map(({ name }) => name)).toEqual([
    'file 100',
    'new folder',
    'file 80',
    'file 60',
    'file 40',
  ])
  expect(summary.recent.map(({ isFolder }) => isFolder)).toEqual([false, true, false, false, false])
})

test('an empty folder has no entries', async () => {
  expect(await readSummary(linesOf({ numDirs: 0, total: 0 }))).toEqual({ folders: 0, files: 0, recent: [] })
})
