import { rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { findOrInstallBrowser } from './setup/browser.js'
import { installPackages } from './setup/install.js'
import { findOrInstallPostgres } from './setup/postgres.js'
import { installSandboxIfMissing } from './setup/sandbox.js'
import { SetupError, runWithOwnOutput } from './setup/steps.js'
import { readSuiteResults } from './setup/suite-results.js'

/**
 * `npm test` runs all checks and tests. It works in a new clone, on Node 18 and later. `npm run check` skips the suites
 * that start servers and browsers. The last line of the output is the number of results, where each test and each step
 * counts as one result.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
/** The folder of the JSON report of each suite. `npm run slowest` reads the reports of the last run. */
const reports = path.join(root, 'node_modules', '.stowage-reports')

/** @typedef {{ title: string, args: readonly string[], report?: string, isQuick: boolean, needs?: 'postgres' }} TestPhase */

/** @type {readonly TestPhase[]} */
const phases = [
  { title: 'Format', args: ['oxfmt', '--check', '.'], isQuick: true },
  { title: 'Lint', args: ['oxlint', '--type-aware', '--quiet'], isQuick: true },
  { title: 'Types of the server', args: ['tsc', '-p', 'tsconfig.json'], isQuick: true },
  { title: 'Types of the client', args: ['tsc', '-p', 'src/client/tsconfig.json'], isQuick: true },
  { title: 'Types of the end-to-end tests', args: ['tsc', '-p', 'test/e2e/tsconfig.json'], isQuick: true },
  { title: 'Types of the bench', args: ['tsc', '-p', 'test/bench/tsconfig.json'], isQuick: true },
  { title: 'Build', args: ['node', 'scripts/build.ts'], isQuick: true },
  { title: 'Bundle sizes', args: ['node', 'scripts/check-bundle-sizes.ts'], isQuick: true },
  { title: 'Architecture', ...suite('architecture'), isQuick: true },
  { title: 'Units', ...suite('unit'), isQuick: false },
  {
    title: 'State on PostgreSQL',
    ...suite('postgres'),
    isQuick: false,
    needs: 'postgres',
  },
  { title: 'Faults', ...suite('faults'), isQuick: false },
  { title: 'Attacks on servers', ...suite('attacks'), isQuick: false },
  { title: 'Attacks by commands', ...suite('commands'), isQuick: false },
  { title: 'End-to-end tests', ...suite('e2e'), isQuick: false },
]

try {
  const onlyQuick = process.argv[2] === 'check'
  const runtime = await installPackages(root)
  const browser = onlyQuick ? undefined : await findOrInstallBrowser()
  const postgres = onlyQuick ? null : await findOrInstallPostgres()
  if (!onlyQuick) await installSandboxIfMissing()
  const selected = phases.filter((phase) => phase.isQuick || !onlyQuick)
  const skippedPhases = postgres === null ? selected.filter(({ needs }) => needs === 'postgres') : []
  const total = await runAll(
    selected.filter((phase) => !skippedPhases.includes(phase)),
    environment(runtime, browser),
  )
  for (const { title } of skippedPhases)
    console.log(
      `\n── ${title}: skipped, PostgreSQL is not installed (Debian and Ubuntu: apt-get install postgresql)`,
    )
  if (total.skipped > 0) console.log(`\n${total.skipped} tests were skipped: this machine cannot run them.`)
  if (total.repeated.length > 0)
    console.log(
      `\n${total.repeated.length} passed only at the second attempt. Find out why:\n${total.repeated.join('\n')}`,
    )
  if (total.failures.length > 0) console.log(`\nFailed:\n${total.failures.slice(0, 50).join('\n')}`)
  console.log(`\n${total.passed} passed, ${total.failed} failed`)
  process.exitCode = total.failed === 0 ? 0 : 1
} catch (thrown) {
  if (!(thrown instanceof SetupError)) throw thrown
  console.error(`\n${thrown.message}`)
  process.exitCode = 1
}

/**
 * @param {readonly TestPhase[]} selected
 * @param {NodeJS.ProcessEnv} env
 */
async function runAll(selected, env) {
  const total = {
    passed: 0,
    failed: 0,
    skipped: 0,
    failures: /** @type {string[]} */ ([]),
    repeated: /** @type {string[]} */ ([]),
  }
  rmSync(reports, { recursive: true, force: true })
  for (const phase of selected) {
    console.log(`\n── ${phase.title}`)
    const startMs = performance.now()
    const code = await runWithOwnOutput(programOf(phase.args), { folder: root, env })
    const { passed, failed, skipped, failures, repeated } =
      phase.report === undefined ? stepResults(code) : readSuiteResults(phase.report, code)
    const seconds = Math.round((performance.now() - startMs) / 1000)
    console.log(`── ${phase.title}: ${failed === 0 ? 'ok' : 'FAILED'}, ${seconds} s`)
    total.passed += passed
    total.failed += failed
    total.skipped += skipped
    total.failures.push(...failures.map((failure) => `${phase.title}: ${failure}`))
    total.repeated.push(...repeated)
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
    repeated: [],
  }
}

/**
 * Returns the command of a suite, and the file of its report.
 * @param {string} project
 */
function suite(project) {
  const report = path.join(reports, `${project}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return { args: ['vitest', 'run', '--project', project, ...reporters], report }
}

/**
 * Returns the command that starts a tool. Tools are started by their path, without npm.
 * @param {readonly string[]} args
 */
function programOf([name = '', ...args]) {
  if (name === 'node') return [name, ...args]
  return [path.join(root, 'node_modules', '.bin', name), ...args]
}

/**
 * Returns the environment of all steps. They run on the pinned runtime, and `CHROME_PATH` names the browser for the
 * tests.
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
