import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  createReadStream,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { ada, bundledProgram, runServer } from '../../test/kit/run-server.ts'
import { temporaryFolder } from '../../test/kit/temporary-folder.ts'
import { maxLineCharacters, openLog } from './logging.ts'

const nowMs = Date.now()
const dayMs = 24 * 3_600_000

/** Creates a log and its rotated files. Each file was last written the given number of days ago. */
function openLogWithBackups(daysAgo: Readonly<Record<string, number>>) {
  const folder = temporaryFolder()
  const file = path.join(folder, 'stowage.log')
  for (const [ending, days] of Object.entries(daysAgo)) {
    writeFileSync(`${file}${ending}`, `log${ending}\n`)
    utimesSync(`${file}${ending}`, nowMs / 1000, (nowMs - days * dayMs) / 1000)
  }
  return { file, names: () => readdirSync(folder).toSorted() }
}

const backupOf = (daysAgo: number): string =>
  `.stowage-${new Date(nowMs - daysAgo * dayMs).toISOString().replaceAll(/[-:.]/g, '')}`

test('only own rotated files are removed at the start: those older than 14 days, and all but ten', async () => {
  const recent = Array.from({ length: 11 }, (_, day) => backupOf(day))
  const others = ['', '.1', '.2.gz', '-20200101', '.stowage-old', '.old', '.stowage-20200101T000000000Z.gz']
  const { file, names } = openLogWithBackups({
    ...Object.fromEntries(others.map((ending) => [ending, 400])),
    ...Object.fromEntries(recent.map((ending, day) => [ending, day])),
    [backupOf(14.1)]: 14.1,
  })
  await openLog(file, { nowMs: () => nowMs }).close()
  const kept = [...others, ...recent.slice(0, 10)].map((ending) => `stowage.log${ending}`)
  expect(names()).toEqual(kept.toSorted())
})

test('a full file is rotated, and expired rotated files are removed then', async () => {
  let atMs = nowMs
  const { file, names } = openLogWithBackups({ '': 0, [backupOf(9)]: 9 })
  truncateSync(file, 100 * 1024 * 1024)
  const full = openLog(file, { nowMs: () => atMs })
  atMs += 6 * dayMs
  full.write('new')
  await full.close()
  expect(names()).toEqual(['stowage.log', `stowage.log${backupOf(-6)}`])
  expect(readFileSync(file, 'utf8')).toBe('new\n')
})

test('a file that another program renames or cuts is followed, at a signal at once and without one soon', async () => {
  let atMs = nowMs
  const { file, names } = openLogWithBackups({})
  const log = openLog(file, { nowMs: () => atMs })
  log.write('one')
  renameSync(file, `${file}.1`)
  log.reopen()
  log.write('two')
  await log.flush()
  renameSync(file, `${file}.2`)
  atMs += 1000
  log.write('three')
  await log.flush()
  expect(names()).toEqual(['stowage.log', 'stowage.log.1', 'stowage.log.2'])
  expect(['', '.1', '.2'].map((ending) => readFileSync(file + ending, 'utf8'))).toEqual([
    'three\n',
    'one\n',
    'two\n',
  ])
  truncateSync(file, 100 * 1024 * 1024)
  truncateSync(file, 0)
  atMs += 1000
  log.write('four')
  await log.close()
  expect([readFileSync(file, 'utf8'), names().length]).toEqual(['four\n', 3])
})

test('a log without a file creates no file', async () => {
  const { names } = openLogWithBackups({})
  for (const target of ['', 'stdout', 'stderr']) await openLog(target, { nowMs: () => nowMs }).close()
  expect([names(), existsSync('stdout')]).toEqual([[], false])
})

test('a line of any length takes a limited room', async () => {
  const { file } = openLogWithBackups({})
  const log = openLog(file, { nowMs: () => nowMs })
  for (const length of [maxLineCharacters, maxLineCharacters + 1, 5_000_000]) log.write('x'.repeat(length))
  await log.close()
  const lines = readFileSync(file, 'utf8').split('\n')
  const whole = 'x'.repeat(maxLineCharacters)
  expect(lines).toEqual([
    whole,
    `${whole}... [${maxLineCharacters + 1} characters]`,
    `${whole}... [5000000 characters]`,
    '',
  ])
})

const loggingModule = new URL('./logging.ts', import.meta.url).href

/** Starts a program that has a log with a target and runs a script. The script is the body of an asynchronous function. */
function runWithLog(target: string, script: string, wrapper: readonly string[] = []) {
  const program = `
import { openLog } from ${JSON.stringify(loggingModule)}
const log = openLog(${JSON.stringify(target)}, { nowMs: Date.now })
${script}`
  const [command, ...args] = [...wrapper, process.execPath, '--input-type=module', '-e', program]
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test.each(['stdout', 'a named pipe'])(
  'a log that nobody reads (%s) delays nothing, and dropped lines are counted when it is read again',
  async (how) => {
    const target = how === 'stdout' ? how : path.join(temporaryFolder(), 'pipe')
    if (how !== 'stdout') execFileSync('mkfifo', [target])
    const child = runWithLog(
      target,
      `for (let index = 0; index < 20_000; index += 1) log.write(index + ' ' + 'x'.repeat(1000))
setTimeout(() => process.send('on time'), 100)
process.once('message', async () => { log.write('last'); await log.close(); process.exit() })`,
    )
    const output = how === 'stdout' ? child.stdout! : createReadStream(target)
    expect((await once(child, 'message'))[0]).toBe('on time')
    const lines: string[] = []
    for await (const line of createInterface({ input: output })) {
      lines.push(line.split(' x')[0]!)
      if (line.startsWith('Warning')) child.send('read again')
    }
    const kept = lines.length - 2
    expect(kept).toBeGreaterThan(1000)
    expect(kept).toBeLessThan(10_000)
    expect(lines).toEqual([
      ...Array.from({ length: kept }, (_, index) => String(index)),
      `Warning: ${20_000 - kept} lines are missing here, because the log could not be written in time`,
      'last',
    ])
  },
)

test.each(['stdout', 'a file'])('all lines of a log that is closed are written (%s)', async (how) => {
  const target = how === 'stdout' ? how : path.join(temporaryFolder(), 'stowage.log')
  const child = runWithLog(
    target,
    `for (let index = 0; index < 3000; index += 1) log.write(index + 'x'.repeat(1000))
await log.close()
process.exit(0)`,
  )
  const exit = once(child, 'exit')
  const output = await text(child.stdout!)
  expect((await exit)[0]).toBe(0)
  const lines = (how === 'stdout' ? output : readFileSync(target, 'utf8')).split('\n').slice(0, -1)
  expect(lines.map((line) => Number.parseInt(line, 10))).toEqual(
    Array.from({ length: 3000 }, (_, index) => index),
  )
})

test('lines for which a disk has no room are counted by the next line that it has room for', async () => {
  const file = path.join(temporaryFolder(), 'stowage.log')
  // The system refuses to make a file longer than the limit.
  const child = runWithLog(
    file,
    `const { truncateSync } = await import('node:fs')
for (let index = 0; index < 20; index += 1) log.write('x'.repeat(1000))
await log.flush()
truncateSync(${JSON.stringify(file)}, 1010)
log.write('last')
await log.close()
process.exit(0)`,
    ['sh', '-c', 'ulimit -f 8; exec "$0" "$@"'],
  )
  expect((await once(child, 'exit'))[0]).toBe(0)
  const line = 'x'.repeat(1000)
  expect(readFileSync(file, 'utf8').split('\n')).toEqual([
    line,
    'x'.repeat(1010 - 1001),
    'Warning: 16 lines are missing here, because the log could not be written in time',
    'last',
    '',
  ])
})

test('an error that nobody catches is in the log of the server that it ends', async () => {
  const file = path.join(temporaryFolder(), 'stowage.log')
  const fault = `process.on('SIGUSR2', () => { throw new Error('broken') })`
  const [node, bundle] = bundledProgram()
  const server = await runServer({
    people: [ada],
    flags: ['--log', file],
    program: [node!, '--import', `data:text/javascript,${encodeURIComponent(fault)}`, bundle!],
  })
  onTestFinished(() => server.remove())
  expect(await server.stop('SIGUSR2')).toBe(1)
  expect(readFileSync(file, 'utf8')).toContain('fatal: "Error: broken')
})
