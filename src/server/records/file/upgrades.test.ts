import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
