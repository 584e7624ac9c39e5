import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const project = path.resolve(import.meta.dirname, '../..')

/** The folders whose tests the tables may name. */
const testFolders = ['test/e2e', 'src/client']

type CoverageRow = { readonly number: number; readonly sentence: string; readonly journey: string }

/** Returns the rows of the tables of a page whose first cell is a number: a sentence and the id of its journey. */
const rowsOf = (page: string): CoverageRow[] =>
  page
    .split('\n')
    .filter((line) => /^\| \d+ \|/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, number = '', sentence = '', journey = '']) => ({ number: Number(number), sentence, journey }))

/** Returns the ids in the comments above tests, and above walks that register a test for each language. A title can be changed without its id, and so without the tables. */
const journeyIds = (sources: string): string[] =>
  [...sources.matchAll(/^ *\/\/ Journey: (\S+)\n *(?:test|walkInLanguages)/gm)].map(([, id = '']) => id)

/** Returns the sentences whose journey is not the id of a test in the sources. */
const withoutJourney = (rows: readonly CoverageRow[], sources: string): string[] => {
  const ids = new Set(journeyIds(sources))
  return rows.filter(({ journey }) => !ids.has(journey)).map(({ sentence }) => sentence)
}

/** Returns the ids that several tests have. */
const sharedIds = (sources: string): string[] =>
  journeyIds(sources).filter((id, index, ids) => ids.indexOf(id) < index)

/** Returns the numbers from 1 to `last` that are missing in the rows. */
const missingNumbers = (rows: readonly CoverageRow[], last: number): number[] =>
  Array.from({ length: last }, (_, index) => index + 1).filter((number) =>
    rows.every((row) => row.number !== number),
  )

/** Returns the sources of all tests in the folders. */
const testSources = (...folders: string[]): string =>
  folders
    .map((folder) => path.join(project, folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.test\.tsx?$/.test(name))
        .map((name) => readFileSync(path.join(folder, name), 'utf8')),
    )
    .join('\n')

const readPage = (name: string): string => readFileSync(path.join(project, 'docs', name), 'utf8')

test('every sentence of the specification in the table is shown by an existing journey', () => {
  const rows = rowsOf(readPage('specification-coverage.md'))
  const sources = testSources(...testFolders)
  expect([rows.length > 40, withoutJourney(rows, sources)]).toEqual([true, []])
})

test('every acceptance check is shown by an existing journey, or is listed with a reason', () => {
  const [shown = '', leftOut = ''] = readPage('acceptance-checks.md').split('\n## ')
  const [rows, others] = [rowsOf(shown), rowsOf(leftOut)]
  expect(withoutJourney(rows, testSources(...testFolders))).toEqual([])
  const named = [...leftOut.matchAll(/`([a-z-]+-\d+)`/g)].map(([, id]) => id)
  const ids: readonly unknown[] = journeyIds(testSources(...testFolders))
  expect([named.length, named.filter((id) => !ids.includes(id))]).toEqual([1, []])
  expect(missingNumbers([...rows, ...others], 148)).toEqual([])
  expect(others.filter(({ number }) => rows.some((row) => row.number === number))).toEqual([])
})

test('every journey has an id of its own', () => {
  expect(sharedIds(testSources(...testFolders))).toEqual([])
})

test('a sentence without a journey, and an id that no test or several tests have, are reported', () => {
  const page =
    '| Chapter | Sentence | Journey |\n|---|---|---|\n| 2 | One | a-1 |\n| 2 | Two | |\n| 9 | Three | b-1 |\n'
  const sources = "  // Journey: a-1\n  test('any title', () => {})\n  // Journey: b-1\n  const other = 1\n"
  expect(withoutJourney(rowsOf(page), sources)).toEqual(['Two', 'Three'])
  expect(sharedIds(sources + sources)).toEqual(['a-1'])
  expect(missingNumbers(rowsOf(page), 3)).toEqual([1, 3])
})
