import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const project = path.resolve(import.meta.dirname, '../..')

type CoverageRow = { readonly number: number; readonly sentence: string; readonly journey: string }

/** Returns the rows of the tables of a page whose first cell is a number: a sentence and the title of its journey. */
const rowsOf = (page: string): CoverageRow[] =>
  page
    .split('\n')
    .filter((line) => /^\| \d+ \|/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, number = '', sentence = '', journey = '']) => ({ number: Number(number), sentence, journey }))

/** Returns the sentences whose journey is not the title of a test in the sources. */
const withoutJourney = (rows: readonly CoverageRow[], sources: string): string[] =>
  rows
    .filter(({ journey }) => journey === '' || !sources.includes(`'${journey}'`))
    .map(({ sentence }) => sentence)

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
        .filter((name) => name.endsWith('.test.ts'))
        .map((name) => readFileSync(path.join(folder, name), 'utf8')),
    )
    .join('\n')

const readPage = (name: string): string => readFileSync(path.join(project, 'docs', name), 'utf8')

test('every sentence of the specification in the table is shown by an existing journey', () => {
  const rows = rowsOf(readPage('specification-coverage.md'))
  const sources = testSources('test/e2e', 'src/client')
  expect([rows.length > 40, withoutJourney(rows, sources)]).toEqual([true, []])
})

test('every acceptance check is shown by an existing journey, or is listed with a reason', () => {
  const [shown = '', leftOut = ''] = readPage('acceptance-checks.md').split('\n## ')
  const [rows, others] = [rowsOf(shown), rowsOf(leftOut)]
  expect(withoutJourney(rows, testSources('test/e2e', 'src/client'))).toEqual([])
  expect(missingNumbers([...rows, ...others], 148)).toEqual([])
  expect(others.filter(({ number }) => rows.some((row) => row.number === number))).toEqual([])
})

test('a sentence without a journey, and a journey that does not exist, are reported', () => {
  const page =
    '| Chapter | Sentence | Journey |\n|---|---|---|\n| 2 | One | a |\n| 2 | Two | |\n| 9 | Three | b |\n'
  expect(withoutJourney(rowsOf(page), "test('a', () => {})")).toEqual(['Two', 'Three'])
  expect(missingNumbers(rowsOf(page), 3)).toEqual([1, 3])
})
