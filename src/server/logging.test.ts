import { existsSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/kit/temporary-folder.ts'
import { openLog } from './logging.ts'

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

test('only rotated files older than 14 days are removed at the start', () => {
  const { file, names } = openLogWithBackups({
    '': 20,
    '.1': 13.9,
    '.2': 14.1,
    '.10': 400,
    '.11': 400,
    '.old': 400,
  })
  openLog(file, () => nowMs).close()
  expect(names()).toEqual(['stowage.log', 'stowage.log.1', 'stowage.log.11', 'stowage.log.old'])
})

test('rotated files older than 14 days are removed at the next rotation', () => {
  let atMs = nowMs
  const { file, names } = openLogWithBackups({ '': 0, '.1': 1, '.2': 9 })
  const log = openLog(file, () => atMs)
  log.close()
  truncateSync(file, 100 * 1024 * 1024)
  const full = openLog(file, () => atMs)
  atMs += 6 * dayMs
  full.write('new')
  full.close()
  expect(names()).toEqual(['stowage.log', 'stowage.log.1', 'stowage.log.2'])
  expect([readFileSync(file, 'utf8'), readFileSync(`${file}.2`, 'utf8')]).toEqual(['new\n', 'log.1\n'])
})

test('a log without a file creates no file', () => {
  const { names } = openLogWithBackups({})
  for (const target of ['', 'stdout', 'stderr']) openLog(target, () => nowMs).close()
  expect([names(), existsSync('stdout')]).toEqual([[], false])
})
