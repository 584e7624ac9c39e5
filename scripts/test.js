import { rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { allSuites, changedFiles, suitesOf } from './setup/changed-suites.js'
import { findOrInstallBrowser } from './setup/browser.js'
import { installPackages } from './setup/install.js'
import { findOrInstallPostgres } from './setup/postgres.js'
import { installSandboxIfMissing } from './setup/sandbox.js'
import { SetupError, run, runWithOwnOutput } from './setup/steps.js'
import { readSuiteResults } from './setup/suite-results.js'

/**
 * `npm test` runs all checks and tests. It works in a new clone, on Node 18 and later. `npm run check` skips the suites
 * that start servers and browsers. `npm test -- --changed COMMIT` runs the suites that the changes since a commit can
 * reach; without a commit, these are the changes that are not committed. The last line of the output is the number of
 * results, where each test and each step counts as one result.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
/** The folder of the JSON report of each suite. `npm run slowest` reads the reports of the last run. */
const reports = path.join(root, 'node_modules', '.stowage-reports')

/** @typedef {{ title: string, args: readonly string[], report?: string, needs?: 'postgres' }} TestPhase */

/**
 * Phases that run one after the other. The lanes of a stage run at the same time.
 * @typedef {readonly TestPhase[]} Lane
 */

/**
 * Stages that run one after the other, and a lane that runs beside all of them with a lower priority. It gets most of the time in which the
 * stages leave a processor idle, because they wait for disks, processes and timeouts.
 * @typedef {{ stages: readonly (readonly Lane[])[], beside: Lane }} Group
 */

/**
 * The checks that only read the source.
 * @type {Lane}
 */
const sourceChecks = [
  { title: 'Format', args: ['oxfmt', '--check', '.'] },
  // One program reads all projects for the rules and for the types. The compiler would read most files once more for each project.
  { title: 'Lint and types', args: ['oxlint', '--type-aware', '--type-check', '--quiet'] },
]

/** @type {Lane} */
const buildChecks = [
  { title: 'Build', args: ['node', 'scripts/build.ts', '--quick'] },
  { title: 'Bundle sizes', args: ['node', 'scripts/check-bundle-sizes.ts'] },
  { title: 'Architecture', ...suite('architecture') },
]

/** @type {readonly Group[]} */
const quickGroups = [{ stages: [[sourceChecks, buildChecks]], beside: [] }]

/**
 * Returns the groups of all checks and suites, with the arguments for a change where one is given. The suites of the first group keep
 * two processors busy: the unit tests and the journeys compute for most of their time, and the other lane waits for disks,
 * processes and timeouts. Two suites run alone: the timed attacks, because other work lengthens the requests that they
 * measure, and the attacks by commands, which exhaust the processes of their user.
 * @param {Readonly<Record<string, readonly string[]>>} suites
 * @returns {readonly Group[]}
 */
function groupsOf(suites = Object.fromEntries(allSuites.map((name) => [name, []]))) {
  /** @type {(phase: { title: string, suite: string, project?: string, needs?: 'postgres' }) => Lane} */
  const phase = ({ suite: name, project = name, ...rest }) => {
    const args = suites[name]
    return args === undefined ? [] : [{ ...rest, ...suite(project, name, args) }]
  }
  const together = [
    [
      ...phase({ title: 'Units', suite: 'unit' }),
      ...phase({ title: 'Units that import the change', suite: 'importers', project: 'unit' }),
      ...phase({ title: 'Units that read sources', suite: 'sourceReaders', project: 'unit' }),
      ...phase({ title: 'Units about documents', suite: 'documents', project: 'unit' }),
      ...phase({ title: 'Components', suite: 'components' }),
      ...phase({ title: 'End-to-end tests', suite: 'e2e' }),
    ],
    [
      ...phase({ title: 'Attacks on servers', suite: 'attacks' }),
      ...phase({ title: 'State on PostgreSQL', suite: 'postgres', needs: 'postgres' }),
      // These wait most, and so take least from the journeys, which run at that time.
      ...phase({ title: 'Faults', suite: 'faults' }),
    ],
  ]
  const alone = [
    [phase({ title: 'Attacks during which requests are timed', suite: 'timed-attacks' })],
    [phase({ title: 'Attacks by commands', suite: 'commands' })],
  ]
  return [
    { stages: [[buildChecks], withPhases(together)], beside: sourceChecks },
    { stages: alone.map(withPhases), beside: [] },
  ]
}

/** @param {readonly Lane[]} lanes */
const withPhases = (lanes) => lanes.filter((lane) => lane.length > 0)

/**
 * Prints what runs for the changes since a commit and what is left out, and returns the arguments of the suites.
 * @param {string} commit
 */
function suitesOfChange(commit) {
  const { suites, because } = suitesOf(changedFiles(commit), commit)
  console.log(`Since ${commit}, ${because}. These run, after the quick checks:`)
  for (const [name, args] of Object.entries(suites))
    console.log(`  ${name}: ${args.length === 0 ? 'all files' : args.join(' ')}`)
  const leftOut = allSuites.filter((name) => suites[name] === undefined)
  console.log(`Left out: ${leftOut.join(', ') || 'nothing'}. Run npm test before you send the change.`)
  return suites
}

try {
  const onlyQuick = process.argv[2] === 'check'
  const changed = process.argv[2] === '--changed' ? suitesOfChange(process.argv[3] ?? 'HEAD') : undefined
  const runtime = await installPackages(root)
  const browser = onlyQuick ? undefined : await findOrInstallBrowser()
  const postgres = onlyQuick ? null : await findOrInstallPostgres()
  if (!onlyQuick) await installSandboxIfMissing()
  const groups = onlyQuick ? quickGroups : groupsOf(changed)
  const phases = groups.flatMap(({ stages }) => stages.flat(2))
  const skippedPhases = postgres === null ? phases.filter(({ needs }) => needs === 'postgres') : []
  const total = await runAll(groups, { env: environment(runtime, browser), skippedPhases })
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
 * Runs groups one after the other, and returns the sums of their results.
 * @param {readonly Group[]} groups
 * @param {{ env: NodeJS.ProcessEnv, skippedPhases: readonly TestPhase[] }} options
 */
async function runAll(groups, { env, skippedPhases }) {
  const total = {
    passed: 0,
    failed: 0,
    skipped: 0,
    failures: /** @type {string[]} */ ([]),
    repeated: /** @type {string[]} */ ([]),
  }
  const runLane = async (/** @type {Lane} */ lane, /** @type {OutputMode} */ output, isPatient = false) => {
    for (const phase of lane) {
      if (skippedPhases.includes(phase)) continue
      const { passed, failed, skipped, failures, repeated } = await runPhase(phase, {
        env,
        output,
        isPatient,
      })
      total.passed += passed
      total.failed += failed
      total.skipped += skipped
      total.failures.push(...failures.map((failure) => `${phase.title}: ${failure}`))
      total.repeated.push(...repeated)
    }
  }
  rmSync(reports, { recursive: true, force: true })
  for (const { stages, beside } of groups) {
    const runningBeside = runLane(beside, 'at its end', true)
    for (const lanes of stages) {
      const first = lanes.length + beside.length === 1 ? 'terminal' : 'lines'
      await Promise.all(lanes.map((lane, index) => runLane(lane, index === 0 ? first : 'at its end')))
    }
    await runningBeside
  }
  return total
}

/**
 * The way in which the output of a phase is printed. A phase that runs alone writes to the terminal. Of phases that run at the same
 * time, one prints its lines as they come, so that there is progress to see, and each other one prints all lines at its end.
 * @typedef {'terminal' | 'lines' | 'at its end'} OutputMode
 */

/**
 * Runs a phase and prints its output. A patient phase has a lower priority than others. Returns the results of the phase.
 * @param {TestPhase} phase
 * @param {{ env: NodeJS.ProcessEnv, output: OutputMode, isPatient: boolean }} options
 */
async function runPhase({ title, args, report }, { env, output, isPatient }) {
  console.log(`\n── ${title}`)
  const startMs = performance.now()
  const code =
    output === 'terminal'
      ? await runWithOwnOutput(programOf(args), { folder: root, env })
      : await runWithPipe(programOf(args), { env, output, isPatient })
  const results = report === undefined ? stepResults(code) : readSuiteResults(report, code)
  const seconds = Math.round((performance.now() - startMs) / 1000)
  console.log(`── ${title}: ${results.failed === 0 ? 'ok' : 'FAILED'}, ${seconds} s`)
  return results
}

/**
 * Runs a program without a terminal, prints its output, and returns its exit code.
 * @param {readonly string[]} program
 * @param {{ env: NodeJS.ProcessEnv, output: OutputMode, isPatient: boolean }} options
 */
async function runWithPipe(program, { env, output, isPatient }) {
  const isLate = output === 'at its end'
  const isWindows = process.platform === 'win32'
  const ended = await run(isPatient && !isWindows ? ['nice', '-n', '5', ...program] : program, {
    folder: root,
    env,
    shell: isWindows,
    ...(isLate ? {} : { onOutput: (text) => process.stdout.write(text) }),
  })
  if (isLate && ended.output.trim() !== '') console.log(ended.output.trimEnd())
  return ended.code ?? 1
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
 * @param {string} name the name of the report
 * @param {readonly string[]} args further arguments: files, or the commit with which Vitest compares the imports
 */
function suite(project, name = project, args = []) {
  const report = path.join(reports, `${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  // A change may reach no test by its imports. A suite as a whole always has tests.
  const mayBeEmpty = args.some((arg) => arg.startsWith('--changed')) ? ['--passWithNoTests'] : []
  const selection =
    project === 'components' ? ['--config', 'vitest.components.config.ts'] : ['--project', project]
  return { args: ['vitest', 'run', ...selection, ...reporters, ...mayBeEmpty, ...args], report }
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
