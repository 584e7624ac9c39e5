import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { elsewhere } from './elsewhere.ts'
import { constants } from './limit.ts'
import { ofCommands } from './of-commands.ts'
import { ofConnections } from './of-connections.ts'
import { ofPeople } from './of-people.ts'
import { ofPrograms } from './of-programs.ts'
import { ofRequests } from './of-requests.ts'
import { ofWork } from './of-work.ts'

/**
 * The tests of every limit in security design 3.8: each test checks the outcome just below the limit and the outcome
 * beyond it.
 */
const shown = [...ofConnections, ...ofRequests, ...ofPeople, ...ofWork, ...ofCommands, ...ofPrograms]

test.each(shown)('just below: $limit', { timeout: 60_000 }, async ({ below, says }) => {
  expect(await below()).toEqual(says[0])
})

test.each(shown)('beyond: $limit', { timeout: 60_000 }, async ({ beyond, says }) => {
  expect(await beyond()).toEqual(says[1])
})

const project = path.resolve(import.meta.dirname, '../..')

test.each(elsewhere)('shown beside its source: $limit', ({ shownBy }) => {
  for (const [file, names] of Object.entries(shownBy)) {
    const source = readFileSync(path.join(project, file), 'utf8')
    for (const name of names) expect(source).toContain(name)
  }
})

test('no number of the code is forgotten', () => {
  const named = new Set<string>([...shown, ...elsewhere].flatMap((row) => row.constants ?? []))
  expect(constants.filter((constant) => !named.has(constant))).toEqual([])
})
