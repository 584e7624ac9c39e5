import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
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

test('only own rotated files are removed at the start: those older than 14 days, and all but ten', () => {
  const recent = Array.from({ length: 11 }, (_, day) => backupOf(day))
  const others = ['', '.1', '.2.gz', '-20200101', '.stowage-old', '.old', '.stowage-20200101T000000000Z.gz']
  const { file, names } = openLogWithBackups({
    ...Object.fromEntries(others.map((ending) => [ending, 400])),
    ...Object.fromEntries(recent.map((ending, day) => [ending, day])),
    [backupOf(14.1)]: 14.1,
  })
  openLog(file, () => nowMs).close()
  const kept = [...others, ...recent.slice(0, 10)].map((ending) => `stowage.log${ending}`)
  expect(names()).toEqual(kept.toSorted())
})

test('a full file is rotated, and expired rotated files are removed then', () => {
  let atMs = nowMs
  const { file, names } = openLogWithBackups({ '': 0, [backupOf(9)]: 9 })
  truncateSync(file, 100 * 1024 * 1024)
  const full = openLog(file, () => atMs)
  atMs += 6 * dayMs
  full.write('new')
  full.close()
  expect(names()).toEqual(['stowage.log', `stowage.log${backupOf(-6)}`])
  expect(readFileSync(file, 'utf8')).toBe('new\n')
})

test('a file that another program renames or cuts is followed, at a signal at once and without one soon', () => {
  let atMs = nowMs
  const { file, names } = openLogWithBackups({})
  const log = openLog(file, () => atMs)
  log.write('one')
  renameSync(file, `${file}.1`)
  log.reopen()
  log.write('two')
  renameSync(file, `${file}.2`)
  atMs += 1000
  log.write('three')
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
  log.close()
  expect([readFileSync(file, 'utf8'), names().length]).toEqual(['four\n', 3])
})

test('a log without a file creates no file', () => {
  const { names } = openLogWithBackups({})
  for (const target of ['', 'stdout', 'stderr']) openLog(target, () => nowMs).close()
  expect([names(), existsSync('stdout')]).toEqual([[], false])
})

test('a line of any length takes a limited room', () => {
  const { file } = openLogWithBackups({})
  const log = openLog(file, () => nowMs)
  for (const length of [maxLineCharacters, maxLineCharacters + 1, 5_000_000]) log.write('x'.repeat(length))
  log.close()
  const lines = readFileSync(file, 'utf8').split('\n')
  const whole = 'x'.repeat(maxLineCharacters)
  expect(lines).toEqual([
    whole,
    `${whole}... [${maxLineCharacters + 1} characters]`,
    `${whole}... [5000000 characters]`,
    '',
  ])
})
