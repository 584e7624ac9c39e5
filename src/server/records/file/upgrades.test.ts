import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { historicMigrations } from '../../../../test/kit/historic-migrations.ts'
import { userFields } from '../../../../test/kit/records.ts'
import { temporaryFolder } from '../../../../test/kit/temporary-folder.ts'
import { migrations } from '../migrations/migrations.ts'
import { openRecords } from '../open-records.ts'

const nowMs = () => 1_800_000_000_000
const newest = migrations.length
const olderVersions = Array.from({ length: newest - 1 }, (_, index) => index + 1)

const open = (database: string, version = newest) =>
  openRecords({ database, nowMs, migrations: migrations.slice(0, version) })

test.each(olderVersions)(
  'a database with %i migrations opens, and its version opens the copy that the upgrade leaves',
  async (version) => {
    const database = join(temporaryFolder(), 'stowage.db')
    const before = await open(database, version)
    await before.users.add(userFields({ username: 'ann' }))
    await before.close()

    const after = await open(database)
    await after.users.add(userFields({ username: 'bea' }))
    expect((await after.users.list()).map(({ username }) => username)).toEqual(['ann', 'bea'])
    await after.close()
    await expect(open(database, version)).rejects.toMatchObject({ code: 'unsupported' })

    const copy = `${database}.before-${newest}`
    const restored = join(temporaryFolder(), 'stowage.db')
    copyFileSync(copy, restored)
    const again = await open(restored, version)
    expect((await again.users.list()).map(({ username }) => username)).toEqual(['ann'])
    await again.close()
  },
)

test('an opened database of the same version leaves no copy', async () => {
  const database = join(temporaryFolder(), 'stowage.db')
  await (await open(database)).close()
  await (await open(database)).close()
  expect(existsSync(`${database}.before-${newest}`)).toBe(false)
})

function schemaIn(file: string) {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return database.prepare('select name, sql from sqlite_schema order by name').all()
  } finally {
    database.close()
  }
}

test.each(historicMigrations)(
  'a database that was created $when has the same tables as a new one after the upgrade, and keeps its users',
  async ({ list }) => {
    const [database, fresh] = [join(temporaryFolder(), 'stowage.db'), join(temporaryFolder(), 'stowage.db')]
    await (await open(fresh)).close()
    const before = await openRecords({ database, nowMs, migrations: list })
    await before.users.add(userFields({ username: 'ann' }))
    await before.close()
    const after = await open(database)
    expect((await after.users.list()).map(({ username }) => username)).toEqual(['ann'])
    await after.close()
    expect(schemaIn(database)).toEqual(schemaIn(fresh))
    expect(existsSync(`${database}.before-${newest}`)).toBe(true)
  },
)
