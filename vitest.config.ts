import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { timedAttacks } from './scripts/setup/attack-tests.js'
import { postgresTests } from './scripts/setup/postgres-tests.js'

/**
 * Each test starts a server with several threads. Caching the compiled source saves more than half of the time of a
 * test. The cache is keyed by content, so it is never stale.
 */
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('node_modules/.stowage-compiled', import.meta.url),
)

/** These tests run a fork bomb. While it runs, concurrent tests may be unable to start processes. */
const commandAttacks = 'src/server/shell/attacks.test.ts'

/** These tests attack a server. */
const serverAttacks = ['test/faults/attacks.test.ts', 'test/faults/*-attacks.test.ts']

/** Servers of these suites start with a state that is made once in a run. */
const preparedStates = 'test/kit/prepared-states.ts'

/** A test that fails runs once more, and `npm test` names it in its list of such tests (decision 61). */
const retry = 1

/** Polling assertions wait for up to 15 seconds, because busy machines are slow. */
const expectOptions = { poll: { timeout: 15_000 } }

/** The files of each suite that take longest, from the longest on (`npm run slowest` prints the tests). */
const longFiles = [
  'test/e2e/share-page.test.ts',
  'test/e2e/views.test.ts',
  'test/e2e/language-screens.test.ts',
  'test/e2e/settings.test.ts',
  'test/e2e/installed.test.ts',
  'test/e2e/editor.test.ts',
  'test/e2e/drop.test.ts',
  'test/e2e/update.test.ts',
  'test/e2e/documents.test.ts',
  'test/e2e/shares.test.ts',
  'test/e2e/sidebar.test.ts',
  'test/e2e/file.test.ts',
  'test/e2e/language-viewers.test.ts',
  'test/e2e/upload-tray.test.ts',
  'test/e2e/two-people.test.ts',
  'test/e2e/palette.test.ts',
  'test/limits/limits.test.ts',
  'src/server/archives/archive-limits.test.ts',
  'src/server/cli/takeover.test.ts',
  'src/server/archives/open-archives.test.ts',
  'src/server/previews/posters.test.ts',
  'src/server/cli/takeover-places.test.ts',
  'src/server/access/running-work.test.ts',
  'src/server/storage/conformance/stat-and-list.test.ts',
  'test/clients/switching.test.ts',
  'src/server/previews/remux/remux.test.ts',
  'test/faults/longest-values-attacks.test.ts',
  'test/faults/work-attacks.test.ts',
  'test/faults/password-attacks.test.ts',
  'test/faults/share-attacks.test.ts',
  'test/faults/program-attacks.test.ts',
  'test/postgres/server.test.ts',
]

/** Returns the place of a file in the list of long files. Other files come after all of these. */
function placeOf({ moduleId }: TestSpecification): number {
  const place = longFiles.findIndex((file) => moduleId.endsWith(file))
  return place === -1 ? longFiles.length : place
}

/**
 * Starts the longest files first, so that no worker is alone with one of them at the end. In a new clone, Vitest knows no
 * durations and orders the files by their sizes.
 */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}

/**
 * There are eight suites here: unit tests beside the source, the tests about the state once more on PostgreSQL, the
 * rules of the source tree, servers that are killed or lose their disk, attacks on servers, attacks during which requests
 * are timed, attacks by commands, and end-to-end tests in a real browser. The component tests are in `vitest.components.config.ts`.
 */
export default defineConfig({
  test: {
    reporters: ['default'],
    // Tests wait for servers, clocks and disks for much of their time, so three files run concurrently even on two
    // processors.
    maxWorkers: 3,
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        test: {
          name: 'unit',
          retry,
          include: [
            'src/**/*.test.ts',
            'test/clients/**/*.test.ts',
            'test/matrix/**/*.test.ts',
            'test/limits/**/*.test.ts',
            'scripts/**/*.test.ts',
            'packaging/**/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, commandAttacks],
          // Files that run in the same process share its modules: loading the server anew takes a third of the time of all
          // unit tests. A test must therefore put back what it changes in the process.
          isolate: false,
          // Most tests take less than a second, but a busy machine needs up to 20 times as long for the longest.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: expectOptions,
        },
      },
      {
        test: {
          name: 'postgres',
          retry,
          include: postgresTests,
          isolate: false,
          globalSetup: ['test/kit/postgres-server.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: expectOptions,
        },
      },
      {
        test: {
          name: 'architecture',
          include: ['test/architecture/**/*.test.ts'],
          // Files that run in the same process share the source tree that they read.
          isolate: false,
          // These tests read the whole source, which takes some seconds on a busy machine.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'faults',
          retry,
          globalSetup: [preparedStates],
          include: ['test/faults/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...serverAttacks],
          testTimeout: 300_000,
          expect: expectOptions,
          hookTimeout: 60_000,
          // Tests that cut the power of a disk or stall it disturb each other.
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'attacks',
          retry,
          globalSetup: [preparedStates],
          include: serverAttacks,
          exclude: [...configDefaults.exclude, ...timedAttacks],
          testTimeout: 300_000,
          expect: expectOptions,
          hookTimeout: 60_000,
          // These tests run beside other suites, which occupy the processors in the time in which an attack waits.
          maxWorkers: 1,
        },
      },
      {
        test: {
          name: 'timed-attacks',
          retry,
          globalSetup: [preparedStates],
          include: timedAttacks,
          testTimeout: 300_000,
          expect: expectOptions,
          hookTimeout: 60_000,
          // The median time of ordinary requests has a limit of a second, which two attacks at a time do not reach on two
          // processors.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'commands',
          retry,
          include: [commandAttacks],
          testTimeout: 300_000,
          expect: expectOptions,
        },
      },
      {
        test: {
          name: 'e2e',
          retry,
          globalSetup: [preparedStates],
          include: ['test/e2e/**/*.test.ts'],
          // Files that run in the same process share its browser.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 3,
        },
      },
    ],
  },
})
