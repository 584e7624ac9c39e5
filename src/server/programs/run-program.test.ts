import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { eventually } from '../../../test/kit/open-door.ts'
import { isRunning } from '../../../test/kit/is-running.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { createKeptOutput } from './kept-output.ts'
import { runProgram, type ProgramRun } from './run-program.ts'

const env = { PATH: '/usr/bin:/bin' }
const bash = (script: string, wish: Partial<ProgramRun> = {}) =>
  runProgram({ program: '/bin/sh', args: ['-c', script], env, timeMs: 20_000, leftovers: 'killed', ...wish })

/** Runs a script, and gives what it said with how it ended. */
async function heard(script: string, wish: Partial<ProgramRun> = {}) {
  const said = { stdout: '', stderr: '' }
  const ending = await bash(script, { onOutput: (bytes, from) => void (said[from] += bytes), ...wish })
  return { ...said, ending }
}

test('a program is given its words, environment and folder, and nothing to read', async () => {
  const folder = temporaryFolder()
  const program = {
    program: '/bin/sh',
    args: ['-c', 'printf "%s|" "$@"; pwd; env; cat', 'sh', '$A', '*', ''],
  }
  const { stdout, ending } = await heard('', { ...program, cwd: folder, env: { ...env, A: 'x' } })
  expect(stdout).toMatch(`$A|*||${folder}\n`)
  expect(stdout).toMatch('A=x\n')
  expect(stdout).not.toMatch('HOME')
  expect(ending).toEqual({ kind: 'exited', status: 0 })
})

test('how it ended is told', async () => {
  const missing = { program: '/no/such/program' }
  expect(await bash('exit 3')).toEqual({ kind: 'exited', status: 3 })
  expect(await bash('kill -USR1 $$')).toEqual({ kind: 'signalled', signal: 'SIGUSR1' })
  expect(await bash('', missing)).toMatchObject({ kind: 'not-started', cause: { code: 'ENOENT' } })
  expect(await bash('', { cwd: '/no/such/folder' })).toMatchObject({ kind: 'not-started' })
  expect(await bash('a\0b')).toMatchObject({ kind: 'not-started' })
  expect(await bash('exit 3', { signal: AbortSignal.abort() })).toEqual({ kind: 'aborted' })
})

test('both outputs are heard to their end', async () => {
  const { stdout, stderr } = await heard('seq 1 20000; echo bad >&2')
  expect(stdout.split('\n')).toHaveLength(20_001)
  expect(stderr).toBe('bad\n')
})

test('whoever takes the output holds the program back, and still gets all of it', async () => {
  let most = 0
  let taking = 0
  let size = 0
  const ending = await bash('head -c 3000000 /dev/zero; echo end >&2', {
    async onOutput(bytes) {
      most = Math.max(most, (taking += 1))
      await new Promise(setImmediate)
      size += bytes.length
      taking -= 1
    },
  })
  expect([ending, size, most]).toEqual([{ kind: 'exited', status: 0 }, 3_000_004, 1])
})

test('a taker that fails ends the program', async () => {
  const onOutput = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('gone')))
  expect(await bash('echo a; sleep 60', { onOutput })).toEqual({ kind: 'aborted' })
})

test.each([['time-limit'], ['aborted']] as const)(
  '%s ends the whole group, those that mind no asking too',
  async (kind) => {
    const stop = new AbortController()
    let said = ''
    const ending = await bash(`trap '' TERM; (trap '' TERM; sleep 60) & echo $! $$; wait; sleep 60`, {
      timeMs: kind === 'aborted' ? 60_000 : 3000,
      signal: stop.signal,
      onOutput(bytes) {
        said += bytes
        if (kind === 'aborted') stop.abort()
      },
    })
    expect(ending).toEqual({ kind })
    const pids = said.trim().split(' ').map(Number)
    expect(pids).toHaveLength(2)
    await eventually(() => !pids.some(isRunning))
  },
)

test('one that minds the asking may tidy up, if it is quick', { retry: 5 }, async () => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'tidied')
  const script = `trap 'echo yes > ${file}; exit' TERM; echo on; sleep 60 & wait`
  const stop = new AbortController()
  await bash(script, { signal: stop.signal, onOutput: () => stop.abort() })
  expect(await readFile(file, 'utf8')).toBe('yes\n')
})

test('what it left behind is killed, or let be', async () => {
  const killed = await heard('sleep 60 & echo $!')
  const pid = Number(killed.stdout)
  expect(killed.ending).toEqual({ kind: 'exited', status: 0 })
  await eventually(() => !isRunning(pid))
  const letBe = await heard('sleep 60 >/dev/null 2>&1 & echo $!', { leftovers: 'let-be' })
  expect(isRunning(Number(letBe.stdout))).toBe(true)
  process.kill(Number(letBe.stdout))
})

test('one who left the group and holds the pipes is not waited for', async () => {
  const { stdout, ending } = await heard('setsid sleep 60 & echo $!')
  expect(ending).toEqual({ kind: 'exited', status: 0 })
  process.kill(Number(stdout))
})

test('of an output as much is kept as is wanted', () => {
  const kept = createKeptOutput(5)
  expect([kept.take(Buffer.from('abc')), kept.take(Buffer.from('de'))]).toEqual([true, true])
  expect([kept.take(Buffer.from('f')), kept.take(Buffer.from('g')), kept.text()]).toEqual([
    false,
    false,
    'abcde',
  ])
})
