import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { eventually } from '../../../test/kit/start-http-server.ts'
import { isRunning } from '../../../test/kit/is-running.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { createOutputBuffer } from './output-buffer.ts'
import { runProgram, type ProgramOptions } from './run-program.ts'
import { startProcess } from '../../../test/kit/start-process.ts'

const env = { PATH: '/usr/bin:/bin' }
const bash = (script: string, options: Partial<ProgramOptions> = {}) =>
  runProgram(startProcess, {
    program: '/bin/sh',
    args: ['-c', script],
    env,
    timeMs: 20_000,
    leftoverProcesses: 'killed',
    ...options,
  })

/** Runs a script. Returns its output and its outcome. */
async function runAndRead(script: string, options: Partial<ProgramOptions> = {}) {
  const output = { stdout: '', stderr: '' }
  const ending = await bash(script, { onOutput: (bytes, from) => void (output[from] += bytes), ...options })
  return { ...output, ending }
}

test('a program gets its arguments, environment and folder, and an empty standard input', async () => {
  const folder = temporaryFolder()
  const program = {
    program: '/bin/sh',
    args: ['-c', 'printf "%s|" "$@"; pwd; env; cat', 'sh', '$A', '*', ''],
  }
  const { stdout, ending } = await runAndRead('', { ...program, cwd: folder, env: { ...env, A: 'x' } })
  expect(stdout).toMatch(`$A|*||${folder}\n`)
  expect(stdout).toMatch('A=x\n')
  expect(stdout).not.toMatch('HOME')
  expect(ending).toEqual({ kind: 'exited', status: 0 })
})

test('the way in which a program ended is reported', async () => {
  const missing = { program: '/no/such/program' }
  expect(await bash('exit 3')).toEqual({ kind: 'exited', status: 3 })
  expect(await bash('kill -USR1 $$')).toEqual({ kind: 'signalled', signal: 'SIGUSR1' })
  expect(await bash('', missing)).toMatchObject({ kind: 'not-started', cause: { code: 'ENOENT' } })
  expect(await bash('', { cwd: '/no/such/folder' })).toMatchObject({ kind: 'not-started' })
  expect(await bash('a\0b')).toMatchObject({ kind: 'not-started' })
  expect(await bash('exit 3', { signal: AbortSignal.abort() })).toEqual({ kind: 'aborted' })
})

test('both outputs are read to their end', async () => {
  const { stdout, stderr } = await runAndRead('seq 1 20000; echo bad >&2')
  expect(stdout.split('\n')).toHaveLength(20_001)
  expect(stderr).toBe('bad\n')
})

test('a slow reader blocks the program and still receives the whole output', async () => {
  let mostConcurrent = 0
  let concurrent = 0
  let size = 0
  const ending = await bash('head -c 3000000 /dev/zero; echo end >&2', {
    async onOutput(bytes) {
      mostConcurrent = Math.max(mostConcurrent, (concurrent += 1))
      await new Promise(setImmediate)
      size += bytes.length
      concurrent -= 1
    },
  })
  expect([ending, size, mostConcurrent]).toEqual([{ kind: 'exited', status: 0 }, 3_000_004, 1])
})

test('the program ends when its reader fails', async () => {
  const onOutput = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('gone')))
  expect(await bash('echo a; sleep 60', { onOutput })).toEqual({ kind: 'aborted' })
})

test.each([['time-limit'], ['aborted']] as const)(
  '%s ends the whole process group, including processes that ignore SIGTERM',
  async (kind) => {
    const stop = new AbortController()
    let output = ''
    const ending = await bash(`trap '' TERM; (trap '' TERM; sleep 60) & echo $! $$; wait; sleep 60`, {
      timeMs: kind === 'aborted' ? 60_000 : 3000,
      signal: stop.signal,
      onOutput(bytes) {
        output += bytes
        if (kind === 'aborted') stop.abort()
      },
    })
    expect(ending).toEqual({ kind })
    const pids = output.trim().split(' ').map(Number)
    expect(pids).toHaveLength(2)
    await eventually(() => !pids.some(isRunning))
  },
)

test('a program that handles SIGTERM quickly may clean up', { retry: 5 }, async () => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'tidied')
  const script = `trap 'echo yes > ${file}; exit' TERM; echo on; sleep 60 & wait`
  const stop = new AbortController()
  await bash(script, { signal: stop.signal, onOutput: () => stop.abort() })
  expect(await readFile(file, 'utf8')).toBe('yes\n')
})

test('processes that a program leaves behind are killed or continue, as configured', async () => {
  const killed = await runAndRead('sleep 60 & echo $!')
  const pid = Number(killed.stdout)
  expect(killed.ending).toEqual({ kind: 'exited', status: 0 })
  await eventually(() => !isRunning(pid))
  const left = await runAndRead('sleep 60 >/dev/null 2>&1 & echo $!', { leftoverProcesses: 'kept' })
  expect(isRunning(Number(left.stdout))).toBe(true)
  process.kill(Number(left.stdout))
})

test('a process that left the group and keeps the pipes open does not delay the result', async () => {
  const { stdout, ending } = await runAndRead('setsid sleep 60 & echo $!')
  expect(ending).toEqual({ kind: 'exited', status: 0 })
  process.kill(Number(stdout))
})

test('an output buffer keeps the first bytes up to its size', () => {
  const buffer = createOutputBuffer(5)
  expect([buffer.append(Buffer.from('abc')), buffer.append(Buffer.from('de'))]).toEqual([true, true])
  expect([buffer.append(Buffer.from('f')), buffer.append(Buffer.from('g')), buffer.text()]).toEqual([
    false,
    false,
    'abcde',
  ])
})
