import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { servingProcessVariable, type ServingProcess } from './serving-process.ts'
import { supervise } from './supervisor.ts'

const report = "process.send({ listeningAt: 'here', port: 4711 })"
const stopsWithSignal = "process.on('SIGTERM', () => process.exit(0))"
const writesItself = `console.log(process.pid + ' ' + process.env.${servingProcessVariable})`
/** A program that accepts connections at once, as far as its supervisor knows. */
const listeningProgram = `${stopsWithSignal}; ${report}; ${writesItself}`

/** Supervises processes of a program. */
function start({
  program,
  count = 2,
  env = {},
}: {
  program: string
  count?: number
  env?: NodeJS.ProcessEnv
}) {
  const file = path.join(temporaryFolder(), 'program.cjs')
  writeFileSync(file, `process.on('disconnect', () => process.exit(0)); ${program}`)
  const [lines, output]: [string[], string[]] = [[], []]
  let announcements = 0
  const supervisor = supervise({
    count,
    port: 0,
    program: file,
    args: [],
    env,
    log: (line) => void lines.push(line),
    output: { stdout: (line) => void output.push(line), stderr: (line) => void lines.push(line) },
    onListening: () => void (announcements += 1),
  })
  onTestFinished(() => supervisor.signal('SIGKILL'))
  /** Returns the ids and the numbers of the processes that were started, in order. */
  const started = () =>
    output.map((line) => {
      const [pid, description = ''] = line.split(' ')
      return { pid: Number(pid), number: (JSON.parse(description) as ServingProcess).number }
    })
  const numbers = () => started().map(({ number }) => number)
  return { ...supervisor, lines, started, numbers, announcements: () => announcements }
}

/** Makes the system refuse each new process. The returned function ends this. */
type Refusal = (env: NodeJS.ProcessEnv) => () => void

const refusals: readonly (readonly [string, Refusal])[] = [
  [
    'an event',
    () => {
      const { execPath } = process
      process.execPath = '/missing'
      return () => void (process.execPath = execPath)
    },
  ],
  [
    'an exception',
    (env) => {
      // Linux accepts 128 KiB in a variable.
      env['TOO_LONG'] = 'x'.repeat(256 * 1024)
      return () => void delete env['TOO_LONG']
    },
  ],
]

test.each(refusals)(
  'the supervisor ends when its first process is refused with %s',
  async (_case, refuse) => {
    const env = {}
    const allow = refuse(env)
    onTestFinished(allow)
    const supervisor = start({ program: listeningProgram, env })
    expect(await supervisor.ended).toBe(1)
    expect(supervisor.lines).toEqual([expect.stringMatching(/^A process could not be started \(.+\)$/)])
  },
)

test.each(refusals)('a process that is refused with %s is tried again', async (_case, refuse) => {
  const env = {}
  const supervisor = start({ program: listeningProgram, env })
  await expect.poll(supervisor.announcements).toBe(1)
  await expect.poll(supervisor.numbers).toEqual([1, 2])
  const allow = refuse(env)
  onTestFinished(allow)
  process.kill(supervisor.started()[0]!.pid, 'SIGKILL')
  await expect
    .poll(() => supervisor.lines.at(-1))
    .toMatch(/^A process could not be started \(.+\), and is started again in \d+ ms$/)
  allow()
  // The process keeps its number.
  await expect.poll(supervisor.numbers).toEqual([1, 2, 1])
  supervisor.signal('SIGTERM')
  expect(await supervisor.ended).toBe(0)
})

test.each(refusals)('a supervisor stops while a process is refused with %s', async (_case, refuse) => {
  const env = {}
  const supervisor = start({ program: listeningProgram, env })
  await expect.poll(supervisor.numbers).toEqual([1, 2])
  onTestFinished(refuse(env))
  for (const { pid } of supervisor.started()) process.kill(pid, 'SIGKILL')
  await expect
    .poll(() => supervisor.lines.filter((line) => line.includes('could not')).length)
    .toBeGreaterThan(1)
  supervisor.signal('SIGTERM')
  expect(await supervisor.ended).toBe(0)
})

test('a signal during the start of the first process ends the supervisor with success', async () => {
  const supervisor = start({ program: `setInterval(() => {}, 1000); ${writesItself}` })
  await expect.poll(supervisor.numbers).toEqual([1])
  supervisor.signal('SIGTERM')
  expect(await supervisor.ended).toBe(0)
})

test('no process is started after the signal when the first one reports at that moment', async () => {
  const reportAndEnd = report.replace(/\)$/, ', () => process.exit(0))')
  const program = `process.on('SIGTERM', () => ${reportAndEnd}); setInterval(() => {}, 1000); ${writesItself}`
  const supervisor = start({ program })
  await expect.poll(supervisor.numbers).toEqual([1])
  supervisor.signal('SIGTERM')
  expect(await supervisor.ended).toBe(0)
  expect([supervisor.numbers(), supervisor.announcements()]).toEqual([[1], 0])
})
