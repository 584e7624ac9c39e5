import { holdTable } from './dialect.ts'
import type { FirstState } from './port.ts'
import { createSettings, putSetting } from './settings.ts'
import type { Database } from './tables.ts'
import { createUsers } from './users.ts'

/** Gives an empty database its first state, in one transaction; see `Records.setUp`. */
export function setUp(database: Database, nowMs: () => number, first: FirstState): Promise<boolean> {
  return database.transaction().execute(async (inside) => {
    await holdTable(inside, 'setting')
    const settings = createSettings(inside)
    if ((await settings.key()) !== null) return false
    const users = createUsers(inside, nowMs)
    const isEmpty = (await users.list()).length === 0
    if (isEmpty) await users.add(first.user)
    for (const [key, value] of Object.entries(first.settings)) await putSetting(inside, key, value)
    await settings.setServer(first.server)
    await settings.setKey(first.key)
    return isEmpty
  })
}
