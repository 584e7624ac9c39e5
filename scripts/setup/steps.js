import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** A step that cannot be done, with what the person at the keyboard can do about it. */
export class SetupError extends Error {}

const tickMs = 10_000

/**
 * Says what is being done while it is done: one line, that grows every ten seconds and ends with the time it took.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  const startMs = Date.now()
  const seconds = () => `${Math.round((Date.now() - startMs) / 1000)} s`
  process.stdout.write(`${title} …`)
  const tick = setInterval(() => process.stdout.write(` ${seconds()} …`), tickMs)
  try {
    const result = await work()
    process.stdout.write(` done (${seconds()})\n`)
    return result
  } catch (thrown) {
    process.stdout.write(' failed\n')
    throw thrown
  } finally {
    clearInterval(tick)
  }
}

/**
 * Runs a program and keeps what it says. The code is null where the program is not there.
 * @param {readonly string[]} words
 * @param {{ folder: string, env?: NodeJS.ProcessEnv, shell?: boolean }} where
 * @returns {Promise<{ code: number | null, output: string }>}
 */
export function run([program = '', ...words], { folder, env, shell = false }) {
  return new Promise((resolve) => {
    const child = spawn(program, words, {
      cwd: folder,
      env: env ?? process.env,
      shell,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const keep = (/** @type {string} */ text) => (output += text)
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    child.once('error', (error) => resolve({ code: null, output: String(error) }))
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

/**
 * Runs a program with this process's own output; gives its exit code (1 when a signal ended it).
 * @param {readonly string[]} words
 * @param {{ folder: string, env?: NodeJS.ProcessEnv }} where
 * @returns {Promise<number>}
 */
export function show([program = '', ...words], { folder, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      cwd: folder,
      env: env ?? process.env,
      shell: process.platform === 'win32',
      stdio: 'inherit',
    })
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
}

/** Whether packages of the system may be installed: on Debian and Ubuntu, by root. */
export function mayInstall() {
  return (
    process.getuid?.() === 0 &&
    existsSync('/usr/bin/apt-get') &&
    /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'))
  )
}
