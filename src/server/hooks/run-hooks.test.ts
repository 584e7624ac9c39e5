import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { codeOf } from '../../shared/domain/failure.ts'
import { eventually } from '../../../test/kit/open-door.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import type { HookValues } from './hook-command.ts'
import { createHookRunner, hookLimits, type HookLimits, type HookRun } from './run-hooks.ts'

/** Processes are slow to begin where many run. */
const soon = (isSo: () => boolean): Promise<void> => eventually(isSo, 15_000)

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
  const log = (line: string): void => void lines.push(line)
  const runner = createHookRunner({ environment, limits: { ...hookLimits, ...limits }, log })
  onTestFinished(() => runner.close())
  const run = (commands: readonly string[], more: Partial<HookRun> = {}) =>
    runner.run({ trigger: 'after_save', lines: commands, shell: [], values, ...more })
  return { lines, run, close: () => runner.close() }
}

const says = (lines: readonly string[]): string[] =>
  lines
    .filter((line) => line.startsWith('Hook after_save says: '))
    .map((line) => JSON.parse(line.slice('Hook after_save says: '.length)) as string)

test('a program has an environment of its own', async () => {
  const { lines, run } = start()
  await run(['env'])
  const told = Object.entries({ ...values, PATH: environment.PATH, HOME: environment.HOME })
  expect(says(lines).toSorted()).toEqual(told.map(([name, value]) => `${name}=${value}`).toSorted())
})

test('lines run in order, each when the one before has ended, until one fails', async () => {
  const { lines, run } = start()
  await expect(run(['sh -c "sleep 0.2; echo one"', 'echo two', 'false', 'echo three'])).rejects.toMatchObject(
    {
      code: 'internal',
    },
  )
  expect(says(lines)).toEqual(['one', 'two'])
  expect(lines.at(-1)).toBe('Hook after_save failed: it ended with 1: "false"')
})

test.each([
  ['/no/such/program', 'it could not be started: ENOENT'],
  ['sh -c "kill -9 $$"', 'it was ended by SIGKILL'],
  ['echo "', 'EOF found when expecting closing quote.'],
])('the line %s fails', async (line, why) => {
  const { lines, run } = start()
  await expect(run([line])).rejects.toMatchObject({ code: 'internal' })
  expect(lines).toEqual([`Hook after_save failed: ${why}: ${JSON.stringify(line)}`])
})

test('a program that takes too long is ended with all that it started', async () => {
  const folder = temporaryFolder()
  const { lines, run } = start({ timeMs: 3000 })
  const line = `sh -c '(sleep 20; touch ${folder}/survived) & echo $! > ${folder}/pid; sleep 20'`
  await expect(run([line])).rejects.toMatchObject({ code: 'internal' })
  expect(lines.at(-1)).toMatch(/^Hook after_save failed: it took too long: /)
  const pid = readFileSync(path.join(folder, 'pid'), 'utf8').trim()
  await soon(() => !existsSync(`/proc/${pid}`) || readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z'))
})

test('of its output the log gets the beginning, escaped; the program goes on', async () => {
  const folder = temporaryFolder()
  const { lines, run } = start({ outputBytes: 1000 })
  await run([`sh -c 'head -c 3000000 /dev/zero | tr "\\0" x; touch ${folder}/end'`])
  expect(says(lines)).toEqual(['x'.repeat(1000)])
  expect(readdirSync(folder)).toEqual(['end'])
  await run([String.raw`printf 'a\033[31m\tb\n403 /login\n'`])
  expect(lines.slice(1)).toEqual([
    'Hook after_save says: "a\\u001b[31m\\tb"',
    'Hook after_save says: "403 /login"',
  ])
})

test('it has nothing to read', async () => {
  const { lines, run } = start()
  await run(['cat', 'sh -c "read line || echo nothing"'])
  expect(says(lines)).toEqual(['nothing'])
})

const gated = (folder: string) =>
  `sh -c 'echo x >> ${folder}/begun; while [ ! -e ${folder}/go ]; do sleep 0.02; done; echo x >> ${folder}/ended' &`
const countOf = (folder: string, name: string): number =>
  existsSync(path.join(folder, name)) ? readFileSync(path.join(folder, name), 'utf8').length / 2 : 0

test('lines in the background are not waited for; four run at once, and more wait', async () => {
  const folder = temporaryFolder()
  const { lines, run } = start()
  await run([...Array<string>(6).fill(gated(folder)), 'echo done'])
  expect(says(lines)).toEqual(['done'])
  await soon(() => countOf(folder, 'begun') >= 4)
  // One more that ran beside them would have begun before those that come now have ended.
  await run(Array<string>(5).fill('true'))
  expect(countOf(folder, 'begun')).toBe(4)
  writeFileSync(path.join(folder, 'go'), '')
  await soon(() => countOf(folder, 'ended') === 6)
})

test('one in the background that fails is logged, and fails nothing', async () => {
  const { lines, run } = start()
  await run(['false &', 'true'])
  await soon(() => lines.length > 0)
  expect(lines).toEqual(['Hook after_save failed: it ended with 1: "false &"'])
})

test('with too many waiting, one more is not begun', async () => {
  const folder = temporaryFolder()
  const { lines, run } = start({ atOnceInBackground: 1, mostWaiting: 1 })
  await run([gated(folder), gated(folder), gated(folder)])
  expect(lines).toEqual([expect.stringMatching(/^Hook after_save failed: overloaded: "sh -c /)])
})

test('what a signal ends is aborted; in the background it goes on', async () => {
  const folder = temporaryFolder()
  const { run } = start()
  const leaving = new AbortController()
  const running = run([gated(folder), 'sleep 20'], { signal: leaving.signal })
  await soon(() => countOf(folder, 'begun') === 1)
  leaving.abort()
  await expect(running).rejects.toMatchObject({ code: 'aborted' })
  writeFileSync(path.join(folder, 'go'), '')
  await soon(() => countOf(folder, 'ended') === 1)
})

test('closing ends all that run, and nothing begins any more', async () => {
  const folder = temporaryFolder()
  const { run, close } = start({ atOnceInBackground: 1 })
  await run([gated(folder), gated(folder)])
  const running = run(['sleep 20'])
  const ended = running.catch(codeOf)
  await soon(() => countOf(folder, 'begun') === 1)
  await close()
  expect(await ended).toBe('aborted')
  await expect(run([`touch ${folder}/late`])).rejects.toMatchObject({ code: 'aborted' })
  expect(readdirSync(folder)).toEqual(['begun'])
  expect(countOf(folder, 'begun')).toBe(1)
})
