import type { Insertable } from 'kysely'
import { AppError } from '../../shared/domain/failure.ts'
import { highestUserId, lockTable, advanceUserId } from './sql/dialect.ts'
import type { User, UserFields, UserImportRequest } from './port.ts'
import type { Database, DatabaseTables } from './sql/tables.ts'
import { markUserSessionsEnded } from './sessions.ts'
import { checkFields, nameKey } from './user-checks.ts'
import { columnsOf, isActiveAdmin, requireAdmin, timeOfChange, userOf } from './user-rows.ts'

/** Imports a list of users in one transaction (`UserStore.importAll`). */
export function importUsers(
  database: Database,
  nowMs: () => number,
  request: UserImportRequest,
): Promise<readonly User[]> {
  return database.transaction().execute(async (transaction) => {
    await lockTable(transaction, 'user')
    const before = (await transaction.selectFrom('user').selectAll().execute()).map(userOf)
    if (request.onExistingId === 'replace-all') await removeOthers(transaction, before, request)
    const { users, highest } = await assignIds(transaction, request)
    await releaseNames(transaction, users)
    const stored: User[] = []
    for (const user of users)
      stored.push(await storeUser(transaction, user, { atMs: nowMs(), onExistingId: request.onExistingId }))
    if (before.some(isActiveAdmin)) await requireAdmin(transaction)
    // The sequence of ids is advanced last, because PostgreSQL does not reset a sequence when the transaction is rolled
    // back.
    if (highest > 0) await advanceUserId(transaction, highest)
    return stored
  })
}

type ImportedUser = UserFields & {
  readonly id: number
  /** The stored user with this id; null when no user has it. */
  readonly existing: User | null
}

/**
 * Assigns an id to each user before the first user is stored, and also returns the highest id. A user keeps the
 * imported id when a stored user has that id or when no user ever had it. Otherwise the user gets an id above all
 * others, because other rows may still refer to the former owner of the id.
 */
async function assignIds(
  transaction: Database,
  { users, lastId = 0 }: Pick<UserImportRequest, 'users' | 'lastId'>,
): Promise<{ readonly users: readonly ImportedUser[]; readonly highest: number }> {
  const rows = await transaction.selectFrom('user').selectAll().execute()
  const existingById = new Map(rows.map((row) => [row.id, userOf(row)]))
  const highestEver = await highestUserId(transaction)
  let highest = users.reduce((maximum, { id }) => Math.max(maximum, id), Math.max(highestEver, lastId))
  const withIds = users.map((user) => {
    const existing = existingById.get(user.id) ?? null
    return { ...user, existing, id: existing || user.id > highestEver ? user.id : (highest += 1) }
  })
  return { users: withIds, highest }
}

/**
 * Removes the stored users that are not in the list. A user with the same id and another name counts as a different
 * user, who must not inherit sessions and other rows.
 */
async function removeOthers(
  transaction: Database,
  before: readonly User[],
  { users }: UserImportRequest,
): Promise<void> {
  const isInList = (user: User) =>
    users.some(({ id, username }) => id === user.id && username === user.username)
  for (const user of before) {
    if (!isInList(user)) await transaction.deleteFrom('user').where('id', '=', user.id).execute()
  }
}

/**
 * Gives users who will be renamed a temporary name that no user can have, because two users in the list may swap their
 * names.
 */
async function releaseNames(transaction: Database, users: readonly ImportedUser[]): Promise<void> {
  const renamed = users.filter(
    ({ existing, username }) => existing !== null && existing.username !== username,
  )
  for (const { id } of renamed) {
    const name = `\u0001${id}`
    await transaction
      .updateTable('user')
      .set({ username: name, name_key: name })
      .where('id', '=', id)
      .execute()
  }
}

type UserImportOptions = { readonly atMs: number; readonly onExistingId: UserImportRequest['onExistingId'] }

async function storeUser(
  transaction: Database,
  { id, existing, ...fields }: ImportedUser,
  { atMs, onExistingId }: UserImportOptions,
): Promise<User> {
  checkImportedFields(fields)
  if (existing && onExistingId === 'refuse')
    throw new AppError('name-taken', { reason: `there is a user with the id ${id} already; see --overwrite` })
  const other = await transaction
    .selectFrom('user')
    .select('id')
    .where('username', '=', fields.username)
    .executeTakeFirst()
  if (other && other.id !== id)
    throw new AppError('name-taken', {
      reason: `the name ${fields.username} is taken by the user ${other.id}`,
    })
  const columns = { ...columnsOf(fields), name_key: await availableNameKey(transaction, fields.username, id) }
  if (!existing) return insertUser(transaction, { ...columns, id, created_at: atMs, rev: 1 })
  const row = await transaction
    .updateTable('user')
    .set((expression) => ({
      ...columns,
      changed_at: timeOfChange(existing, atMs),
      rev: expression('rev', '+', 1),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const isIdentityChanged = existing.passwordHash !== row.password_hash || existing.username !== row.username
  if (isIdentityChanged || fields.isDisabled) await markUserSessionsEnded(transaction, id, atMs)
  return userOf(row)
}

const insertUser = async (transaction: Database, values: Insertable<DatabaseTables['user']>): Promise<User> =>
  userOf(await transaction.insertInto('user').values(values).returningAll().executeTakeFirstOrThrow())

/**
 * Returns an unused key for a name. When two imported names differ only in case, the second key contains a character
 * that names cannot contain.
 */
async function availableNameKey(transaction: Database, username: string, id: number): Promise<string> {
  const key = nameKey(username)
  const other = await transaction
    .selectFrom('user')
    .select('id')
    .where('name_key', '=', key)
    .where('id', '!=', id)
    .executeTakeFirst()
  return other ? `${key}\u0001${username}` : key
}

function checkImportedFields(fields: UserFields): void {
  try {
    checkFields(fields)
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
    throw new AppError(cause.code, { cause, reason: `user ${fields.username}: ${cause.reason}` })
  }
}
