import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { timedAttacks } from '../../scripts/setup/attack-tests.js'
import { clientParts, journeyFile, sourceReaders, suitesOf } from '../../scripts/setup/changed-suites.js'
import { readTree, type SourceTree } from './source-tree.ts'

const project = path.resolve(import.meta.dirname, '../..')

/** The files outside of a part that may import it, because they only open it: tables of screens, dialogs and viewers. */
const openers =
  /^client\/(app\/|features\/files\/|features\/viewers\/(viewers|text-renderings)\.ts|features\/prompts\/[^/]+$|features\/settings\/)/

type Import = { readonly from: string; readonly target: string }

const importsOf = ({ files }: SourceTree): Import[] =>
  files.flatMap(({ path: from, imports }) =>
    imports.flatMap(({ target }) => (target === null ? [] : [{ from, target }])),
  )

/** Returns the imports through which a change of a part reaches journeys that are not in its list. */
const importsIntoParts = (imports: readonly Import[]): string[] =>
  clientParts.flatMap(([folder]) =>
    imports
      .filter(({ from, target }) => {
        const isInside = from.startsWith(`client/${folder}`)
        return target.startsWith(`client/${folder}`) && !isInside && !openers.test(from)
      })
      .map(({ from, target }) => `${from} imports ${target}`),
  )

test('the parts of the client and their journeys exist', () => {
  const folders = clientParts.map(([folder]) => path.join(project, 'src/client', folder))
  const journeys = clientParts.flatMap(([, names]) => names.map(journeyFile))
  expect(folders.filter((folder) => !existsSync(folder))).toEqual([])
  expect(journeys.filter((file) => !existsSync(path.join(project, file)))).toEqual([])
})

const journeysOf = (file: string) => suitesOf([file], 'HEAD').suites['e2e'] ?? []

test('a change of what all screens share runs a part of the journeys, which shows each screen and each viewer', () => {
  for (const file of ['src/client/ui/button.tsx', 'src/client/listing/grid/grid.tsx']) {
    const journeys = journeysOf(file)
    expect(journeys.filter((journey) => !existsSync(path.join(project, journey)))).toEqual([])
    expect(journeys.length).toBeLessThan(globSync('test/e2e/*.test.ts', { cwd: project }).length / 2)
    expect(journeys).toContain(journeyFile('language-screens'))
  }
  expect(journeysOf('src/client/ui/button.tsx')).toContain(journeyFile('language-viewers'))
})

test('nothing but what opens a part of the client imports it, so that a change reaches only its journeys', () => {
  const imports = importsOf(readTree(path.join(project, 'src')))
  expect([imports.length > 1000, importsIntoParts(imports)]).toEqual([true, []])
})

test('an import into a part is found', () => {
  const target = 'client/features/shell/shell.tsx'
  const from = ['client/app/transfers.tsx', 'client/features/shell/a.ts', 'client/ui/icon.tsx']
  expect(importsIntoParts(from.map((file) => ({ from: file, target })))).toEqual([
    `client/ui/icon.tsx imports ${target}`,
  ])
})

/** Matches a unit test that finds files by its own place, or that reads the catalogues, which no module imports. */
const readsSources = /\bimport\.meta\.(dirname|filename|url|glob)|\breadCatalogue\(/

test('the unit tests of the client that read its sources run after each change of the client', () => {
  const tests = globSync('src/client/**/*.test.ts', { cwd: project }).map((file) =>
    file.replaceAll('\\', '/'),
  )
  const readers = tests.filter((file) => readsSources.test(readFileSync(path.join(project, file), 'utf8')))
  expect(readers.sort()).toEqual(sourceReaders.filter((file) => file.startsWith('src/client/')))
  expect(sourceReaders.filter((file) => !existsSync(path.join(project, file)))).toEqual([])
})

/** Matches a test of an attack that measures the elapsed time of requests, directly or with all other limits. */
const measuresElapsedTime = /\bexpectNoImpact\(|\bmedianMs\b/

test('the attacks that measure elapsed time run alone', () => {
  const attacks = globSync('test/faults/*attacks.test.ts', { cwd: project }).map((file) =>
    file.replaceAll('\\', '/'),
  )
  const timed = attacks.filter((file) =>
    measuresElapsedTime.test(readFileSync(path.join(project, file), 'utf8')),
  )
  expect([attacks.length > timed.length, timed.sort()]).toEqual([true, timedAttacks])
})
