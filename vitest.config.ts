import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/**
 * Each test starts a server of its own, and that its threads: what Node makes of their source is kept, which takes more than half of
 * what a test costs. By what the source holds, so that it is never old.
 */
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('node_modules/.stowage-compiled', import.meta.url),
)

/** A busy machine is slow; what never comes fails all the same. */
const patient = { poll: { timeout: 15_000 } }

/**
 * Five suites: what runs in Node beside its source, what of it is about the state once more on PostgreSQL, the rules of the tree,
 * servers that are killed and attacked, and journeys in a real browser.
 */
export default defineConfig({
  test: {
    reporters: ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'src/**/*.test.ts',
            'test/kit/**/*.test.ts',
            'test/clients/**/*.test.ts',
            'test/matrix/**/*.test.ts',
            'test/limits/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          testTimeout: 20_000,
          expect: patient,
        },
      },
      {
        test: {
          name: 'postgres',
          include: [
            'test/postgres/**/*.test.ts',
            'src/server/records/*.test.ts',
            'src/server/auth/{sessions,throttle}.test.ts',
            'src/server/{sessions,settings,shares,users}/**/*.test.ts',
          ],
          globalSetup: ['test/kit/postgres-server.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: patient,
        },
      },
      { test: { name: 'architecture', include: ['test/architecture/**/*.test.ts'] } },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 300_000,
          expect: patient,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
