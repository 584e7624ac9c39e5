import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { limitsTestedElsewhere } from './elsewhere.ts'
import { limitNames } from './limit.ts'
import { commandLimitTests } from './of-commands.ts'
import { connectionLimitTests } from './of-connections.ts'
import { userLimitTests } from './of-people.ts'
import { programLimitTests } from './of-programs.ts'
import { requestLimitTests } from './of-requests.ts'
import { removeLargeFolders, workLimitTests } from './of-work.ts'

/**
 * The test cases for every limit in security 3.8. Each test case checks the outcome just below the limit and the
 * outcome beyond it.
 */
const testCases = [
  ...connectionLimitTests,
  ...requestLimitTests,
  ...userLimitTests,
  ...workLimitTests,
  ...commandLimitTests,
  ...programLimitTests,
]

afterAll(removeLargeFolders)

test.each(testCases)('just below: $limit', { timeout: 60_000 }, async ({ below, expected: says }) => {
  expect(await below()).toEqual(says[0])
})

test.each(testCases)('beyond: $limit', { timeout: 60_000 }, async ({ beyond, expected: says }) => {
  expect(await beyond()).toEqual(says[1])
})

const project = path.resolve(import.meta.dirname, '../..')

test.each(limitsTestedElsewhere)('tested elsewhere: $limit', ({ tests: shownBy }) => {
  for (const [file, titles] of Object.entries(shownBy)) {
    const source = readFileSync(path.join(project, file), 'utf8')
    for (const name of titles) expect(source).toContain(name)
  }
})

test('every limit in the code has a test', () => {
  const named = new Set<string>(
    [...testCases, ...limitsTestedElsewhere].flatMap((row) => row.limitNames ?? []),
  )
  expect(limitNames.filter((constant) => !named.has(constant))).toEqual([])
})
