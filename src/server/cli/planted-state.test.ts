import { randomBytes } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { boltFile } from '../../../test/kit/bolt-file.ts'
import { originalInstallation } from '../../../test/kit/original-database.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { realEnvironment } from '../config/config-environment.ts'
import { openRecords } from '../records/open-records.ts'
import { servingConfig } from './serving-config.ts'

type Places = { readonly database: string; readonly root: string }

const start = ({ database, root }: Places, nowMs: () => number = Date.now) =>
  servingConfig(['-d', database, '-r', root], realEnvironment({}, root), { nowMs, randomBytes })

/** Copies a state with the log of a change that is not in the state yet. Both are files that others may access. */
function writeLogOf(state: string, change: string): string {
  const copy = path.join(temporaryFolder(), 'copy')
  copyFileSync(state, copy)
  const database = new DatabaseSync(copy)
  onTestFinished(() => database.close())
  database.exec('pragma wal_autocheckpoint = 0')
  database.exec(change)
  return `${copy}-wal`
}

const isAdministrator = (state: string, id: number): boolean => {
  const database = new DatabaseSync(state, { readOnly: true })
  try {
    return database.prepare('select is_admin from user where id = ?').get(id)?.['is_admin'] === 1
  } finally {
    database.close()
  }
}

test('a log that somebody else has put beside a state is not applied to it', async () => {
  const installation = originalInstallation('filebrowser-v2.63')
  const { config } = await start(installation)
  const state = config.database
  expect(isAdministrator(state, 2)).toBe(false)
  copyFileSync(writeLogOf(state, 'update user set is_admin = 1 where id = 2'), `${state}-wal`)
  chmodSync(`${state}-wal`, 0o640)
  await expect(start(installation)).rejects.toMatchObject({
    code: 'unsupported',
    reason: expect.stringContaining(`${state}-wal may not be a file of Stowage`),
  })
})

test('the log of a state that was killed is applied to it', async () => {
  const installation = originalInstallation('filebrowser-v2.63')
  const { config } = await start(installation)
  const records = await openRecords({ database: config.database, nowMs: Date.now })
  onTestFinished(() => records.close())
  await records.settings.setServer({ port: '8123' })
  expect(existsSync(`${config.database}-wal`) && statSync(`${config.database}-wal`).size).toBeGreaterThan(0)
  expect((await start(installation)).config.port).toBe(8123)
})

test('a state that somebody else creates during the takeover is refused', async () => {
  const installation = originalInstallation('filebrowser-v2.63')
  const other = path.join(temporaryFolder(), 'other.db')
  await (await openRecords({ database: other, nowMs: Date.now })).close()
  const state = `${installation.database}.stowage`
  const plant = (): number => {
    if (!existsSync(state)) copyFileSync(other, state)
    return Date.now()
  }
  await expect(start(installation, plant)).rejects.toMatchObject({
    code: 'unsupported',
    reason: expect.stringContaining('was not made from the configured database'),
  })
})

test('a state that others may access is refused when the signing key is damaged', async () => {
  const [folder, root] = [temporaryFolder(), temporaryFolder()]
  const database = path.join(folder, 'filebrowser.db')
  writeFileSync(database, boltFile({ config: { settings: '{"rules":[]}' }, User: {} }))
  const { config } = await start({ database, root })
  await start({ database, root })
  chmodSync(config.database, 0o644)
  await expect(start({ database, root })).rejects.toMatchObject({ code: 'unsupported' })
})
