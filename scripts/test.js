import { rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { foundBrowser } from './setup/browser.js'
import { installed } from './setup/install.js'
import { foundPostgres } from './setup/postgres.js'
import { offeredSandbox } from './setup/sandbox.js'
import { SetupError, show } from './setup/steps.js'
import { readSuiteResults } from './setup/suite-results.js'

/**
 * `npm test`: everything, from a bare clone, on whatever Node the machine has (18 and newer). `npm run check` is the same
 * without the suites that start servers and browsers. Ends with one line that counts: a test counts as one, a step too.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const results = path.join(root, 'node_modules', '.stowage-results.json')

/** @typedef {{ title: string, words: readonly string[], isSuite?: boolean, isQuick: boolean, needs?: 'postgres' }} Phase */

/** @type {readonly Phase[]} */
const phases = [
  { title: 'Format', words: ['oxfmt', '--check', '.'], isQuick: true },
  { title: 'Lint', words: ['oxlint', '--type-aware', '--quiet'], isQuick: true },
  { title: 'Types of the server', words: ['tsc', '-p', 'tsconfig.json'], isQuick: true },
  { title: 'Types of the client', words: ['tsc', '-p', 'src/client/tsconfig.json'], isQuick: true },
  { title: 'Types of the journeys', words: ['tsc', '-p', 'test/e2e/tsconfig.json'], isQuick: true },
  { title: 'Types of the bench', words: ['tsc', '-p', 'test/bench/tsconfig.json'], isQuick: true },
  { title: 'Build', words: ['node', 'scripts/build.ts'], isQuick: true },
  { title: 'Sizes of what is built', words: ['node', 'scripts/check-bundle-sizes.ts'], isQuick: true },
  { title: 'Architecture', words: suite('architecture'), isSuite: true, isQuick: true },
  { title: 'Units', words: suite('unit'), isSuite: true, isQuick: false },
  {
    title: 'The state on PostgreSQL',
    words: suite('postgres'),
    isSuite: true,
    isQuick: false,
    needs: 'postgres',
  },
  { title: 'Faults and attacks', words: suite('faults'), isSuite: true, isQuick: false },
  { title: 'Journeys', words: suite('e2e'), isSuite: true, isQuick: false },
]

try {
  const onlyQuick = process.argv[2] === 'check'
  const runtime = await installed(root)
  const browser = onlyQuick ? undefined : await foundBrowser()
  const postgres = onlyQuick ? null : await foundPostgres()
  if (!onlyQuick) await offeredSandbox()
  const wanted = phases.filter((phase) => phase.isQuick || !onlyQuick)
  const left = postgres === null ? wanted.filter(({ needs }) => needs === 'postgres') : []
  const total = await runAll(
    wanted.filter((phase) => !left.includes(phase)),
    environment(runtime, browser),
  )
  for (const { title } of left)
    console.log(
      `\n── ${title}: skipped, PostgreSQL is not installed (Debian and Ubuntu: apt-get install postgresql)`,
    )
  if (total.skipped > 0) console.log(`\n${total.skipped} tests were skipped: this machine cannot run them.`)
  if (total.failures.length > 0) console.log(`\nFailed:\n${total.failures.slice(0, 50).join('\n')}`)
  console.log(`\n${total.passed} passed, ${total.failed} failed`)
  process.exitCode = total.failed === 0 ? 0 : 1
} catch (thrown) {
  if (!(thrown instanceof SetupError)) throw thrown
  console.error(`\n${thrown.message}`)
  process.exitCode = 1
}

/**
 * @param {readonly Phase[]} wanted
 * @param {NodeJS.ProcessEnv} env
 */
async function runAll(wanted, env) {
  const total = { passed: 0, failed: 0, skipped: 0, failures: /** @type {string[]} */ ([]) }
  for (const phase of wanted) {
    console.log(`\n── ${phase.title}`)
    rmSync(results, { force: true })
    const code = await show(programOf(phase.words), { folder: root, env })
    const { passed, failed, skipped, failures } = phase.isSuite
      ? readSuiteResults(results, code)
      : stepResults(code)
    console.log(`── ${phase.title}: ${failed === 0 ? 'ok' : 'FAILED'}`)
    total.passed += passed
    total.failed += failed
    total.skipped += skipped
    total.failures.push(...failures.map((failure) => `${phase.title}: ${failure}`))
  }
  return total
}

/** @param {number} code */
function stepResults(code) {
  return {
    passed: Number(code === 0),
    failed: Number(code !== 0),
    skipped: 0,
    failures: code === 0 ? [] : ['see above'],
  }
}

/** @param {string} project */
function suite(project) {
  return [
    'vitest',
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${results}`,
  ]
}

/**
 * The tools are started by what they are, not by npm: their place is known.
 * @param {readonly string[]} words
 */
function programOf([name = '', ...words]) {
  if (name === 'node') return [name, ...words]
  return [path.join(root, 'node_modules', '.bin', name), ...words]
}

/**
 * Everything runs on the pinned runtime, and finds the browser under the name that the tests look for.
 * @param {string} runtime
 * @param {string | undefined} browser
 */
function environment(runtime, browser) {
  const paths = [path.dirname(runtime), path.join(root, 'node_modules', '.bin'), process.env['PATH'] ?? '']
  return {
    ...process.env,
    PATH: paths.join(path.delimiter),
    ...(browser === undefined ? {} : { CHROME_PATH: browser }),
  }
}
