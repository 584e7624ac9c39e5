import { expect, onTestFinished, test } from 'vitest'
import { databaseIn, execute } from '../../../test/kit/database.ts'
import { userFields } from '../../../test/kit/records.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { defaultSettings } from '../../shared/contract/setting-fields.ts'
import { migrations } from './migrations/migrations.ts'
import { openRecords } from './open-records.ts'

const nowMs = () => 1_800_000_000_000
const quotasAt = migrations.findIndex(({ name }) => name === 'quotas')

const withoutQuota = (members: object): string => {
  const { quotaBytes: _unknown, ...rest } = { quotaBytes: null, ...members }
  return JSON.stringify(rest).replaceAll("'", "''")
}

/**
 * Creates a database as an older version wrote it, with Ann and stored defaults. `steps` is the number of migrations in
 * that version.
 */
async function createOldDatabase(steps: number): Promise<string> {
  const { database, remove } = await databaseIn(temporaryFolder())
  onTestFinished(remove)
  const before = await openRecords({ database, nowMs, migrations: migrations.slice(0, steps) })
  await before.users.add(userFields({ username: 'ann' }))
  await before.settings.change({ defaults: { ...defaultSettings.defaults, scope: 'y' } })
  await before.close()
  const {
    username: _name,
    passwordHash: _hash,
    isDisabled: _isDisabled,
    ...doc
  } = userFields({ username: '' })
  await execute(database, `update "user" set doc = '${withoutQuota(doc)}'`)
  const defaults = withoutQuota({ ...defaultSettings.defaults, scope: 'y' })
  await execute(database, `update setting set value = '${defaults}' where key = 'defaults'`)
  return database
}

const oldVersions = Array.from({ length: quotasAt }, (_, n) => n + 1)

test.each(oldVersions)(
  'a database with %i migrations is migrated, and no user has a quota',
  async (steps) => {
    const database = await createOldDatabase(steps)
    const records = await openRecords({ database, nowMs })
    onTestFinished(() => records.close())
    const ann = { ...userFields({ username: 'ann' }), id: 1, changedAtMs: null }
    expect(await records.users.find(1)).toEqual(ann)
    expect((await records.settings.get()).defaults).toEqual({ ...defaultSettings.defaults, scope: 'y' })
    const bea = await records.users.add(userFields({ username: 'bea', quotaBytes: 5 }))
    expect((await records.users.find(bea.id))?.quotaBytes).toBe(5)
  },
)

test('an older version, which would drop the quotas, refuses the database', async () => {
  const { database, remove } = await databaseIn(temporaryFolder())
  onTestFinished(remove)
  await (await openRecords({ database, nowMs })).close()
  const older = { database, nowMs, migrations: migrations.slice(0, quotasAt) }
  await expect(openRecords(older)).rejects.toMatchObject({ code: 'unsupported' })
})
