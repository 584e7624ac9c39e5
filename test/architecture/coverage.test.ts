import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const project = path.resolve(import.meta.dirname, '../..')

type CoverageRow = { readonly sentence: string; readonly journey: string }

/** Returns the rows of the table: a sentence of the specification and the title of the journey that shows it. */
const rowsOf = (page: string): CoverageRow[] =>
  page
    .split('\n')
    .filter((line) => /^\| \d+ \|/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, , sentence = '', journey = '']) => ({ sentence, journey }))

/** Returns the sentences whose journey is not the title of a test in the sources. */
const withoutJourney = (rows: readonly CoverageRow[], sources: string): string[] =>
  rows
    .filter(({ journey }) => journey === '' || !sources.includes(`'${journey}'`))
    .map(({ sentence }) => sentence)

test('every sentence of the specification in the table is shown by an existing journey', () => {
  const rows = rowsOf(readFileSync(path.join(project, 'docs/specification-coverage.md'), 'utf8'))
  const folder = path.join(project, 'test/e2e')
  const names = readdirSync(folder).filter((name) => name.endsWith('.test.ts'))
  const sources = names.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('\n')
  expect([rows.length > 40, withoutJourney(rows, sources)]).toEqual([true, []])
})

test('a sentence without a journey, and a journey that does not exist, are reported', () => {
  const page =
    '| Chapter | Sentence | Journey |\n|---|---|---|\n| 2 | One | a |\n| 2 | Two | |\n| 9 | Three | b |\n'
  expect(withoutJourney(rowsOf(page), "test('a', () => {})")).toEqual(['Two', 'Three'])
})
