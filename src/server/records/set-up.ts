import { lockTable } from './sql/dialect.ts'
import type { InitialRecords } from './port.ts'
import { createSettings, putSetting } from './settings.ts'
import type { Database } from './sql/tables.ts'
import { createUsers } from './users.ts'

/**
 * Stores the initial records of an installation in one transaction. Returns true when the user was stored
 * (`ServerRecords.setUp`).
 */
export function setUp(database: Database, nowMs: () => number, initial: InitialRecords): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    await lockTable(transaction, 'setting')
    const settings = createSettings(transaction)
    if ((await settings.key()) !== null) return false
    const users = createUsers(transaction, nowMs)
    const isEmpty = (await users.list()).length === 0
    if (isEmpty) await users.add(initial.user)
    for (const [key, value] of Object.entries(initial.settings)) await putSetting(transaction, key, value)
    await settings.setServer(initial.server)
    await settings.setKey(initial.key)
    return isEmpty
  })
}
