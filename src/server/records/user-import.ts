import type { Insertable } from 'kysely'
import { AppError } from '../../shared/domain/failure.ts'
import { highestUserId, lockTable, advanceUserId } from './sql/dialect.ts'
import type { User, UserFields, UserImportRequest } from './user-store.ts'
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
    const stored = await storeUsers(transaction, users, { nowMs, onExistingId: request.onExistingId })
    if (before.some(isActiveAdmin)) await requireAdmin(transaction)
    // The sequence of ids is advanced last, because PostgreSQL does not reset a sequence when the transaction is rolled
    // back.
    if (highest > 0) await advanceUserId(transaction, highest)
    return stored
  })
}

type ImportedUser = {
  /** The id under which the user is stored. */
  readonly id: number
  readonly fields: UserFields
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
  const withIds = users.map((fields) => {
    const existing = existingById.get(fields.id) ?? null
    return { fields, existing, id: existing || fields.id > highestEver ? fields.id : (highest += 1) }
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
  const listedNames = new Map(users.map(({ id, username }) => [id, username]))
  for (const user of before) {
    if (listedNames.get(user.id) !== user.username)
      await transaction.deleteFrom('user').where('id', '=', user.id).execute()
  }
}

/**
 * Gives users who will be renamed a temporary name that no user can have, because two users in the list may swap their
 * names.
 */
async function releaseNames(transaction: Database, users: readonly ImportedUser[]): Promise<void> {
  const renamed = users.filter(
    ({ existing, fields }) => existing !== null && existing.username !== fields.username,
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

/**
 * The number of new users that one statement stores. Each has nine values, and SQLite accepts 32,766 values in a
 * statement.
 */
const usersPerInsert = 200

/** The names and name keys of the users in the database, each with the id of its user. */
type NameIndex = { readonly ids: Map<string, number>; readonly keys: Map<string, number> }

/**
 * Reads the names of all stored users, so that the names of imported users are compared in memory. A query for each of
 * them would take most of the time of a large import.
 */
async function readNames(transaction: Database): Promise<NameIndex> {
  const rows = await transaction.selectFrom('user').select(['id', 'username', 'name_key']).execute()
  return {
    ids: new Map(rows.map(({ id, username }) => [username, id])),
    keys: new Map(rows.map(({ id, name_key }) => [name_key, id])),
  }
}

/**
 * Stores users in the order of the list. New users are inserted together, after the users that are overwritten: a name
 * that a new user takes was free when its turn came, and nobody else takes it later.
 */
async function storeUsers(
  transaction: Database,
  users: readonly ImportedUser[],
  { nowMs, onExistingId }: Omit<UserImportOptions, 'atMs'> & { readonly nowMs: () => number },
): Promise<readonly User[]> {
  const names = await readNames(transaction)
  const stored: User[] = []
  let inserts: Insertable<DatabaseTables['user']>[] = []
  const insertAll = async (): Promise<void> => {
    if (inserts.length > 0) await transaction.insertInto('user').values(inserts).execute()
    inserts = []
  }
  for (const user of users) {
    const options = { atMs: nowMs(), onExistingId }
    const name_key = claimName(names, user, options)
    if (user.existing === null) {
      const { fields, id } = user
      inserts.push({ ...columnsOf(fields), name_key, id, created_at: options.atMs, rev: 1 })
      stored.push({ ...fields, id, changedAtMs: null })
    } else
      stored.push(await overwriteUser(transaction, { ...user, existing: user.existing, name_key }, options))
    if (inserts.length >= usersPerInsert) await insertAll()
  }
  await insertAll()
  return stored
}

/** Checks a user and returns the key of the user's name. Throws when the user cannot be stored. */
function claimName(
  names: NameIndex,
  { id, existing, fields }: ImportedUser,
  { onExistingId }: UserImportOptions,
): string {
  checkImportedFields(fields)
  if (existing && onExistingId === 'refuse')
    throw new AppError('name-taken', { reason: `there is a user with the id ${id} already; see --overwrite` })
  const { username } = fields
  const other = names.ids.get(username)
  if (other !== undefined && other !== id)
    throw new AppError('name-taken', { reason: `the name ${username} is taken by the user ${other}` })
  names.ids.set(username, id)
  const key = availableNameKey(names, username, id)
  names.keys.set(key, id)
  return key
}

async function overwriteUser(
  transaction: Database,
  { id, existing, fields, name_key }: ImportedUser & { readonly existing: User; readonly name_key: string },
  { atMs }: UserImportOptions,
): Promise<User> {
  const row = await transaction
    .updateTable('user')
    .set((expression) => ({
      ...columnsOf(fields),
      name_key,
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

/**
 * Returns an unused key for a name. When two imported names differ only in case, the second key contains a character
 * that names cannot contain.
 */
function availableNameKey({ keys }: NameIndex, username: string, id: number): string {
  const key = nameKey(username)
  const other = keys.get(key)
  return other === undefined || other === id ? key : `${key}\u0001${username}`
}

function checkImportedFields(fields: UserFields): void {
  try {
    checkFields(fields)
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
    throw new AppError(cause.code, { cause, reason: `user ${fields.username}: ${cause.reason}` })
  }
}
