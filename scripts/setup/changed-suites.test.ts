import { expect, test } from 'vitest'
import { allSuites, suitesOf } from './changed-suites.js'

const journeys = (...names: readonly string[]) => names.map((name) => `test/e2e/${name}.test.ts`)
const suites = (...files: readonly string[]) => suitesOf(files, 'main').suites
const everything = Object.fromEntries(allSuites.map((name) => [name, []]))

test('a change of one part of the client runs its journeys and the unit tests that import it', () => {
  expect(suites('src/client/features/shell/shell.tsx')).toEqual({
    components: [],
    unit: ['--changed=main'],
    e2e: journeys('focus', 'listing', 'look', 'shell', 'start'),
  })
})

test('the journeys of several parts are added up, and a part inside another one counts alone', () => {
  const files = ['settings/audit/audit-page.tsx', 'viewers/pdf/pdf.ts'].map(
    (file) => `src/client/features/${file}`,
  )
  expect(suites(...files)['e2e']).toEqual(
    journeys(
      'audit',
      'focus',
      'language-screens',
      'language-viewers',
      'listing',
      'pdf',
      'settings-layout',
      'share-viewers',
      'start',
    ),
  )
})

test('a change of what all screens share runs all journeys, and neither attacks nor faults', () => {
  expect(suites('src/client/ui/icon.tsx', 'src/client/features/shell/shell.tsx')).toEqual({
    components: [],
    unit: ['--changed=main'],
    e2e: [],
  })
})

test.each([
  'src/server/build.ts',
  'src/shared/domain/path.ts',
  'test/kit/tree.ts',
  'package.json',
  'scripts/build.ts',
])('a change of %s runs everything', (file) =>
  expect(suites('src/client/ui/icon.tsx', file)).toEqual(everything),
)

test.each([
  ['test/e2e/start.test.ts', { e2e: ['test/e2e/start.test.ts'] }],
  ['test/faults/attacks.test.ts', { attacks: ['test/faults/attacks.test.ts'] }],
  ['test/faults/work-attacks.test.ts', { attacks: ['test/faults/work-attacks.test.ts'] }],
  ['test/faults/power.test.ts', { faults: ['test/faults/power.test.ts'] }],
  ['src/server/shell/attacks.test.ts', { commands: ['src/server/shell/attacks.test.ts'] }],
  ['src/server/build.test.ts', { unit: ['src/server/build.test.ts'] }],
  ['src/server/removed.test.ts', {}],
  ['test/components/files.ts', { components: [], e2e: ['test/e2e/models.test.ts'] }],
  ['docs/limits.md', { documents: ['scripts/'] }],
  ['test/architecture/tree.test.ts', {}],
])('a change of %s runs only what it can reach', (file, expected) => expect(suites(file)).toEqual(expected))

test('the tests of documents stay a suite of their own beside those of a change of the client', () => {
  expect(suites('docs/limits.md', 'src/client/ui/icon.test.ts')).toEqual({
    documents: ['scripts/'],
    components: [],
    unit: ['--changed=main'],
  })
})
