import { AppError } from '../../shared/domain/failure.ts'
import { isUniqueViolation } from './constraint-violation.ts'
import { lockTable } from './sql/dialect.ts'
import { markUserSessionsEnded } from './sessions.ts'
import type { Database } from './sql/tables.ts'
import { checkFields, checkNewName, isStorable, nameKey } from './user-checks.ts'
import { importUsers } from './user-import.ts'
import { columnsOf, isActiveAdmin, requireAdmin, timeOfChange, userOf } from './user-rows.ts'
import type { User, UserFields, UserStore } from './user-store.ts'

/** Creates the store of users. */
export function createUsers(database: Database, nowMs: () => number): UserStore {
  const find = (id: number) => findUser(database, id)

  return {
    find,
    async findByName(username) {
      if (!isStorable(username)) return null
      const row = await database
        .selectFrom('user')
        .selectAll()
        .where('username', '=', username)
        .executeTakeFirst()
      return row ? userOf(row) : null
    },
    async hasSimilarName(username) {
      if (!isStorable(username)) return false
      const row = await database
        .selectFrom('user')
        .select('id')
        .where('name_key', '=', nameKey(username))
        .executeTakeFirst()
      return row !== undefined
    },
    async list() {
      return (await database.selectFrom('user').selectAll().orderBy('id').execute()).map(userOf)
    },
    async add(fields) {
      checkNewName(fields.username)
      return insertUser(database, fields, nowMs())
    },
    importAll: (request) => importUsers(database, nowMs, request),
    update: (id, fields) => updateUser(database, id, { change: () => fields, atMs: nowMs() }),
    updateBy: (id, change) => updateUser(database, id, { change, atMs: nowMs() }),
    async findHashWithPrefix(prefix) {
      const row = await database
        .selectFrom('user')
        .select('password_hash')
        .where('password_hash', 'like', `${prefix}%`)
        .executeTakeFirst()
      return row?.password_hash ?? null
    },
    async rehash(id, { from, to }) {
      await database
        .updateTable('user')
        .set({ password_hash: to })
        .where('id', '=', id)
        .where('password_hash', '=', from)
        .execute()
    },
    remove: (id) =>
      database.transaction().execute(async (transaction) => {
        await lockTable(transaction, 'user')
        const user = await requireUser(transaction, id)
        await transaction.deleteFrom('user').where('id', '=', id).execute()
        if (isActiveAdmin(user)) await requireAdmin(transaction)
      }),
  }
}

/** Stores a new user as `UserStore.add` does, but accepts every name that an imported user may have. */
export async function insertUser(database: Database, fields: UserFields, atMs: number): Promise<User> {
  checkFields(fields)
  const row = await withNameTakenError(
    database
      .insertInto('user')
      .values({ ...columnsOf(fields), name_key: nameKey(fields.username), created_at: atMs, rev: 1 })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
  return userOf(row)
}

type UserUpdate = { readonly change: Parameters<UserStore['updateBy']>[1]; readonly atMs: number }

async function updateUser(database: Database, id: number, { change, atMs }: UserUpdate): Promise<User> {
  return database.transaction().execute(async (transaction) => {
    await lockTable(transaction, 'user')
    const before = await requireUser(transaction, id)
    const after = { ...before, ...(await change(before)) }
    checkFields(after)
    const { username, ...columns } = columnsOf(after)
    if (username !== before.username) checkNewName(username)
    const name = username === before.username ? {} : { username, name_key: nameKey(username) }
    await withNameTakenError(
      transaction
        .updateTable('user')
        .set((expression) => ({
          ...columns,
          ...name,
          changed_at: timeOfChange(before, atMs),
          rev: expression('rev', '+', 1),
        }))
        .where('id', '=', id)
        .execute(),
    )
    if (after.isDisabled) await markUserSessionsEnded(transaction, id, atMs)
    if (isActiveAdmin(before)) await requireAdmin(transaction)
    return requireUser(transaction, id)
  })
}

async function findUser(database: Database, id: number): Promise<User | null> {
  const row = await database.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? userOf(row) : null
}

async function requireUser(database: Database, id: number): Promise<User> {
  const user = await findUser(database, id)
  if (!user) throw new AppError('not-found')
  return user
}

async function withNameTakenError<T>(query: Promise<T>): Promise<T> {
  try {
    return await query
  } catch (cause) {
    throw isUniqueViolation(cause) ? new AppError('name-taken', { cause }) : cause
  }
}
