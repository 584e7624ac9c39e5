import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** Thrown when a step fails. The message explains how to solve the problem. */
export class SetupError extends Error {}

/** Interval in ms at which the elapsed time of a running step is printed. */
const tickMs = 10_000

/**
 * Runs a step and shows its progress on one line: the title, the elapsed time every ten seconds, and the total time at
 * the end.
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
 * Runs a program and captures its output. The code is null when the program does not exist. `onOutput` gets each part of
 * the output as it arrives.
 * @param {readonly string[]} args
 * @param {{ folder: string, env?: NodeJS.ProcessEnv, shell?: boolean, onOutput?: (text: string) => void }} where
 * @returns {Promise<{ code: number | null, output: string }>}
 */
export function run([program = '', ...args], { folder, env, shell = false, onOutput = () => {} }) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: env ?? process.env,
      shell,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const keep = (/** @type {string} */ text) => {
      output += text
      onOutput(text)
    }
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    child.once('error', (error) => resolve({ code: null, output: String(error) }))
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

/**
 * Runs a program with this process's own output. Returns its exit code, or 1 when a signal ended it.
 * @param {readonly string[]} args
 * @param {{ folder: string, env?: NodeJS.ProcessEnv }} where
 * @returns {Promise<number>}
 */
export function runWithOwnOutput([program = '', ...args], { folder, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: env ?? process.env,
      shell: process.platform === 'win32',
      stdio: 'inherit',
    })
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
}

/** True when this process may install system packages: on Debian and Ubuntu, as root. */
export function mayInstall() {
  return (
    process.getuid?.() === 0 &&
    existsSync('/usr/bin/apt-get') &&
    /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'))
  )
}
