import { defineConfig } from 'vitest/config'

/**
 * Four suites: what runs in Node beside its source, the rules of the tree, servers that are killed and attacked, and journeys in a
 * real browser.
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
        },
      },
      { test: { name: 'architecture', include: ['test/architecture/**/*.test.ts'] } },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 300_000,
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
