import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { databaseWarnings } from '../config/database-warnings.ts'
import { realSurroundings } from '../config/surroundings.ts'
import { openRecords } from '../records/open-records.ts'
import { servingConfig } from './serving-config.ts'

const dependencies = { nowMs: Date.now, randomBytes }

/** Returns the configuration of a start in a new folder that contains the given files. */
async function startIn(files: Readonly<Record<string, string>>, argv: readonly string[] = []) {
  const folder = temporaryFolder()
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content)
  const start = () => servingConfig(['-d', 's.db', ...argv], realSurroundings({}, folder), dependencies)
  return { folder, start, ...(await start()) }
}

test('a start that creates the database says so with its path, also when the file is empty', async () => {
  for (const files of [{}, { 's.db': '' }]) {
    const { folder, start, notices, config } = await startIn(files)
    expect(notices).toEqual([`There is no database yet; a new one is created: ${path.join(folder, 's.db')}`])
    await (await openRecords({ database: config.database, nowMs: Date.now })).close()
    expect((await start()).notices).toEqual([])
  }
})

test('a database that is itself a mount point is warned about, and one in a mounted folder is not', async () => {
  const { folder } = await startIn({ 's.db': '' })
  const file = path.join(folder, 's.db')
  const mounted = (point: string) => databaseWarnings(file, [{ device: '8:1', root: '/', point }])
  expect(mounted(file)).toEqual([expect.stringContaining(`the database ${file} is mounted as a single file`)])
  expect([mounted(folder), databaseWarnings('postgres://a/b'), databaseWarnings(`${file}x`)]).toEqual([
    [],
    [],
    [],
  ])
})
