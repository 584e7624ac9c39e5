import { AppError } from '../../shared/domain/failure.ts'
import { isUniqueViolation } from './constraint-violation.ts'
import type { AccountImportRequest } from './port.ts'
import type { User } from './user-store.ts'
import { createUsers, insertUser } from './users.ts'
import { createSettings } from './settings.ts'
import { insertShares } from './shares.ts'
import { lockTable } from './sql/dialect.ts'
import type { Database } from './sql/tables.ts'

/** Adds users and shares in one transaction (`ServerRecords.addAccounts`). */
export function addAccounts(
  database: Database,
  nowMs: () => number,
  { users, shares, key }: AccountImportRequest,
): Promise<readonly User[]> {
  return database.transaction().execute(async (transaction) => {
    await lockTable(transaction, 'user')
    const store = createUsers(transaction, nowMs)
    const added: User[] = []
    for (const user of users) added.push(await insertUser(transaction, user, nowMs()))
    const ids = new Map((await store.list()).map(({ id, username }) => [username, id]))
    const owned = shares.map(({ owner, ...share }) => ({ ...share, userId: requireOwner(ids, owner) }))
    await insertShares(transaction, owned).catch(explainTakenHash)
    const settings = createSettings(transaction)
    if ((await settings.key()) === null) await settings.setKey(key)
    return added
  })
}

function requireOwner(ids: ReadonlyMap<string, number>, owner: string): number {
  const id = ids.get(owner)
  if (id === undefined) throw new AppError('not-found', { reason: `there is no user ${owner}` })
  return id
}

function explainTakenHash(cause: unknown): never {
  if (!isUniqueViolation(cause)) throw cause
  throw new AppError('name-taken', { cause, reason: 'a share has one of the addresses already' })
}
