import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { codeOf } from '../../shared/domain/failure.ts'
import { root } from '../../shared/domain/path.ts'
import { eventually } from '../../../test/kit/start-http-server.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import type { HookValues } from './hook-command.ts'
import {
  createHookRunner,
  hookLimits,
  type HookFailure,
  type HookLimits,
  type HookRequest,
} from './hook-runner.ts'
import { startProcess } from '../../../test/kit/start-process.ts'

/** Waits up to 15 s for a condition, because processes start slowly while many others run. */
const soon = (condition: () => boolean): Promise<void> => eventually(condition, 15_000)

const values: HookValues = {
  FILE: '/srv/a',
  SCOPE: '.',
  TRIGGER: 'after_save',
  USERNAME: 'ann',
  DESTINATION: '/srv',
}

const environment = { PATH: '/usr/bin:/bin', HOME: '/root', SECRET: 'token', LD_PRELOAD: '/evil.so' }

function start(limits: Partial<HookLimits> = {}) {
  const lines: string[] = []
  const failures: HookFailure[] = []
  const log = (line: string): void => void lines.push(line)
  const runner = createHookRunner({
    start: startProcess,
    environment,
    limits: { ...hookLimits, ...limits },
    log,
    onFailure: (failure) => void failures.push(failure),
  })
  onTestFinished(() => runner.close())
  const run = (commands: readonly string[], options: Partial<HookRequest> = {}) =>
    runner.run({ trigger: 'after_save', lines: commands, shell: [], path: root, values, ...options })
  return { lines, failures, run, close: () => runner.close() }
}

const loggedOutput = (lines: readonly string[]): string[] =>
  lines
    .filter((line) => line.startsWith('Hook after_save printed: '))
    .map((line) => JSON.parse(line.slice('Hook after_save printed: '.length)) as string)

test('a program gets its values and only a few variables of the server', async () => {
  const { lines, run } = start()
  await run(['env'])
  const variables = Object.entries({ ...values, PATH: environment.PATH, HOME: environment.HOME })
  expect(loggedOutput(lines).toSorted()).toEqual(
    variables.map(([name, value]) => `${name}=${value}`).toSorted(),
  )
})

test('lines run one after the other until one fails', async () => {
  const { lines, run } = start()
  await expect(run(['sh -c "sleep 0.2; echo one"', 'echo two', 'false', 'echo three'])).rejects.toMatchObject(
    {
      code: 'refused-by-hook',
    },
  )
  expect(loggedOutput(lines)).toEqual(['one', 'two'])
  expect(lines.at(-1)).toBe('Hook after_save failed: it ended with 1: "false"')
})

test.each([
  ['/no/such/program', 'it could not be started: ENOENT', 'not-started'],
  ['sh -c "kill -9 $$"', 'it was ended by SIGKILL', 'signalled'],
  ['echo "', 'EOF found when expecting closing quote.', 'broken'],
])('the line %s fails', async (line, reason, end) => {
  const { lines, failures, run } = start()
  await expect(run([line])).rejects.toMatchObject({ code: 'refused-by-hook' })
  expect(failures).toMatchObject([{ trigger: 'after_save', line, path: '/', end, printed: '' }])
  expect(lines).toEqual([`Hook after_save failed: ${reason}: ${JSON.stringify(line)}`])
})

test('a program that takes too long is ended with all that it started', async () => {
  const folder = temporaryFolder()
  const { lines, run } = start({ timeMs: 3000 })
  const line = `sh -c '(sleep 20; touch ${folder}/survived) & echo $! > ${folder}/pid; sleep 20'`
  await expect(run([line])).rejects.toMatchObject({ code: 'refused-by-hook' })
  expect(lines.at(-1)).toMatch(/^Hook after_save failed: it took too long: /)
  const pid = readFileSync(path.join(folder, 'pid'), 'utf8').trim()
  await soon(() => !existsSync(`/proc/${pid}`) || readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z'))
})

test('the beginning of the output is logged with control characters escaped, and the program goes on', async () => {
  const folder = temporaryFolder()
  const { lines, run } = start({ outputBytes: 1000 })
  await run([`sh -c 'head -c 3000000 /dev/zero | tr "\\0" x; touch ${folder}/end'`])
  expect(loggedOutput(lines)).toEqual(['x'.repeat(1000)])
  expect(readdirSync(folder)).toEqual(['end'])
  await run([String.raw`printf 'a\033[31m\tb\n403 /login\n'`])
  expect(lines.slice(1)).toEqual([
    'Hook after_save printed: "a\\u001b[31m\\tb"',
    'Hook after_save printed: "403 /login"',
  ])
})

test('a program that prints 200 MB is read at full speed, on both outputs, and other work goes on meanwhile', async () => {
  const { lines, run } = start()
  let turns = 0
  const count = setInterval(() => (turns += 1))
  await run(['head -c 200000000 /dev/zero', 'sh -c "head -c 200000000 /dev/zero >&2"'])
  clearInterval(count)
  expect(loggedOutput(lines).map(({ length }) => length)).toEqual([65_536, 65_536])
  expect(turns).toBeGreaterThan(10)
})

test('a program has an empty standard input', async () => {
  const { lines, run } = start()
  await run(['cat', 'sh -c "read line || echo nothing"'])
  expect(loggedOutput(lines)).toEqual(['nothing'])
})

const gated = (folder: string) =>
  `sh -c 'echo x >> ${folder}/started; while [ ! -e ${folder}/go ]; do sleep 0.02; done; echo x >> ${folder}/ended' &`
const countOf = (folder: string, name: string): number =>
  existsSync(path.join(folder, name)) ? readFileSync(path.join(folder, name), 'utf8').length / 2 : 0

test('background lines are not waited for: four run at the same time, and further ones wait', async () => {
  const folder = temporaryFolder()
  const { lines, run } = start()
  await run([...Array<string>(6).fill(gated(folder)), 'echo done'])
  expect(loggedOutput(lines)).toEqual(['done'])
  await soon(() => countOf(folder, 'started') >= 4)
  // If a fifth program could run concurrently, it would start before these five lines have ended.
  await run(Array<string>(5).fill('true'))
  expect(countOf(folder, 'started')).toBe(4)
  writeFileSync(path.join(folder, 'go'), '')
  await soon(() => countOf(folder, 'ended') === 6)
})

test('a background line that fails is logged and does not fail the run', async () => {
  const { lines, run } = start()
  await run(['false &', 'true'])
  await soon(() => lines.length > 0)
  expect(lines).toEqual(['Hook after_save failed: it ended with 1: "false &"'])
})

test('a background line is refused when too many wait', async () => {
  const folder = temporaryFolder()
  const { lines, run } = start({ maxConcurrent: 1, maxQueued: 1 })
  await run([gated(folder), gated(folder), gated(folder)])
  await soon(() => lines.length > 0)
  expect(lines).toEqual([expect.stringMatching(/^Hook after_save failed: overloaded: "sh -c /)])
})

test('the changes of one user leave room for the background lines of others', async () => {
  const folder = temporaryFolder()
  const { lines, run } = start({ maxConcurrent: 1, maxQueued: 4, maxOfUser: 3 })
  const valuesOfBea = { ...values, USERNAME: 'bea' }
  await run(Array<string>(5).fill(gated(folder)))
  const refused = expect.stringMatching(/^Hook after_save failed: overloaded: "sh -c /)
  await soon(() => lines.length === 2)
  expect(lines).toEqual([refused, refused])
  await run([gated(folder), gated(folder)], { values: valuesOfBea })
  writeFileSync(path.join(folder, 'go'), '')
  await soon(() => countOf(folder, 'ended') === 5)
  expect(lines).toHaveLength(2)
  // The places of both are free again, except that the last program may still be about to exit.
  await run(Array<string>(2).fill(gated(folder)))
  await soon(() => countOf(folder, 'ended') === 7)
  expect(lines).toHaveLength(2)
})

test('the background lines of one user do not run before those that another user has caused meanwhile', async () => {
  const folder = temporaryFolder()
  const { run } = start({ maxConcurrent: 1 })
  const note = (name: string): string => `sh -c 'echo ${name} >> ${folder}/order' &`
  await run([gated(folder), ...Array<string>(5).fill(note('ann'))])
  await soon(() => countOf(folder, 'started') === 1)
  await run([note('bea')], { values: { ...values, USERNAME: 'bea' } })
  writeFileSync(path.join(folder, 'go'), '')
  const order = (): string[] =>
    existsSync(path.join(folder, 'order'))
      ? readFileSync(path.join(folder, 'order'), 'utf8').trim().split('\n')
      : []
  await soon(() => order().length === 6)
  expect(order().indexOf('bea')).toBeLessThan(2)
})

test('the signal aborts the line that is waited for, and background lines go on', async () => {
  const folder = temporaryFolder()
  const { run } = start()
  const leaving = new AbortController()
  const running = run([gated(folder), 'sleep 20'], { signal: leaving.signal })
  await soon(() => countOf(folder, 'started') === 1)
  leaving.abort()
  await expect(running).rejects.toMatchObject({ code: 'aborted' })
  writeFileSync(path.join(folder, 'go'), '')
  await soon(() => countOf(folder, 'ended') === 1)
})

test('closing ends all running programs and starts no further ones', async () => {
  const folder = temporaryFolder()
  const { run, close } = start({ maxConcurrent: 1 })
  await run([gated(folder), gated(folder)])
  const running = run(['sleep 20'])
  const ended = running.catch(codeOf)
  await soon(() => countOf(folder, 'started') === 1)
  await close()
  expect(await ended).toBe('aborted')
  await expect(run([`touch ${folder}/late`])).rejects.toMatchObject({ code: 'aborted' })
  expect(readdirSync(folder)).toEqual(['started'])
  expect(countOf(folder, 'started')).toBe(1)
})
