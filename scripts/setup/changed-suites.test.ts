import { spawnSync } from 'node:child_process'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/kit/temporary-folder.ts'
import { allSuites, changedFiles, journeysOfAllScreens, sourceReaders, suitesOf } from './changed-suites.js'

const journeys = (...names: readonly string[]) => names.map((name) => `test/e2e/${name}.test.ts`)
const suites = (...files: readonly string[]) => suitesOf(files, 'main').suites
/** The suites that each change of the client runs, besides journeys. */
const ofClient = {
  components: [],
  importers: ['--changed=main'],
  sourceReaders,
}
const everything = Object.fromEntries(allSuites.map((name) => [name, []]))

test('a change of one part of the client runs its journeys and the unit tests that import it', () => {
  expect(suites('src/client/features/shell/shell.tsx')).toEqual({
    ...ofClient,
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
      'settings-layout',
      'share-viewers',
      'start',
      'viewers',
    ),
  )
})

test('a change of what all screens share runs the journeys that show each screen, and neither attacks nor faults', () => {
  expect(suites('src/client/ui/icon.tsx', 'src/client/features/shell/shell.tsx')).toEqual({
    ...ofClient,
    e2e: journeys(...new Set([...journeysOfAllScreens, 'look', 'shell'])).toSorted(),
  })
})

test.each([
  'src/server/build.ts',
  'src/shared/domain/path.ts',
  'test/kit/tree.ts',
  'test/architecture/source-tree.ts',
  'test/architecture/rules/imports.ts',
  'src/client/public/img/logo.svg',
  'package.json',
  'scripts/build.ts',
])('a change of %s runs everything', (file) =>
  expect(suites('src/client/ui/icon.tsx', file)).toEqual(everything),
)

test.each([
  ['test/e2e/start.test.ts', { e2e: ['test/e2e/start.test.ts'] }],
  ['test/faults/attacks.test.ts', { attacks: ['test/faults/attacks.test.ts'] }],
  ['test/faults/audit-attacks.test.ts', { attacks: ['test/faults/audit-attacks.test.ts'] }],
  ['test/faults/work-attacks.test.ts', { 'timed-attacks': ['test/faults/work-attacks.test.ts'] }],
  ['test/faults/power.test.ts', { faults: ['test/faults/power.test.ts'] }],
  ['src/server/shell/attacks.test.ts', { commands: ['src/server/shell/attacks.test.ts'] }],
  ['src/server/build.test.ts', { unit: ['src/server/build.test.ts'] }],
  [
    'src/server/records/file/checkpointer.test.ts',
    { unit: ['src/server/records/file/checkpointer.test.ts'] },
  ],
  ['src/server/shares/drops.test.ts', { unit: ['src/server/shares/drops.test.ts'] }],
  ['test/postgres/server.test.ts', { postgres: ['test/postgres/server.test.ts'] }],
  ['src/server/removed.test.ts', {}],
  [
    'test/components/files.ts',
    { components: [], e2e: ['test/e2e/media.test.ts', 'test/e2e/viewers.test.ts'] },
  ],
  ['docs/limits.md', { documents: ['scripts/'] }],
  ['docs/generated/api.json', { documents: ['scripts/', 'src/server/openapi/openapi.test.ts'] }],
  ['docs/switching-from-file-browser.md', { documents: ['scripts/', 'test/clients/switching.test.ts'] }],
  ['test/architecture/tree.test.ts', {}],
  ['test/architecture/same-words.ts', { e2e: journeys('language-screens', 'language-viewers') }],
])('a change of %s runs only what it can reach', (file, expected) => expect(suites(file)).toEqual(expected))

test.each([
  'src/server/records/users.test.ts',
  'src/server/settings/settings.test.ts',
  'src/server/sessions/tickets.test.ts',
  'src/server/shares/shares.test.ts',
  'src/server/users/races.test.ts',
  'src/server/peers/peers.test.ts',
])('a change of %s, a test about the state, also runs it on PostgreSQL', (file) =>
  expect(suites(file)).toEqual({ unit: [file], postgres: [file] }),
)

test('the tests of documents stay a suite of their own beside those of a change of the client', () => {
  expect(suites('docs/limits.md', 'src/client/ui/icon.test.ts')).toEqual({
    ...ofClient,
    documents: ['scripts/'],
  })
})

test('a changed unit test of the server runs beside the unit tests that a change of the client reaches', () => {
  expect(suites('src/client/ui/icon.tsx', 'src/server/build.test.ts')).toEqual({
    ...ofClient,
    unit: ['src/server/build.test.ts'],
    e2e: journeys(...journeysOfAllScreens).toSorted(),
  })
})

test('both paths of a renamed file, changed files and new files are listed, with letters of all scripts', () => {
  const folder = temporaryFolder()
  const git = (...args: string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' }).stdout.trim()
  const write = (file: string, text: string) => writeFileSync(path.join(folder, file), text)
  git('init')
  mkdirSync(path.join(folder, 'old'))
  write('old/moved.ts', 'export const text = "long enough to be recognised as the same file"\n')
  write('unchanged.ts', '')
  write('größe.ts', '1')
  git('add', '.')
  const tree = git('write-tree')
  renameSync(path.join(folder, 'old'), path.join(folder, 'new'))
  write('größe.ts', '2')
  git('add', '.')
  write('untracked.ts', '')
  expect(changedFiles(tree, folder).toSorted()).toEqual([
    'größe.ts',
    'new/moved.ts',
    'old/moved.ts',
    'untracked.ts',
  ])
})

test('a commit that Git does not know is refused', () => {
  expect(() => changedFiles('no-such-commit')).toThrow('Git knows no commit no-such-commit')
})
