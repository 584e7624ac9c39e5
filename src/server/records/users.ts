import type { UserFieldValues } from '../../shared/contract/fields/user-fields.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { isUniqueViolation } from './constraint-violation.ts'
import { lockTable } from './sql/dialect.ts'
import { markUserSessionsEnded } from './sessions.ts'
import type { Database } from './sql/tables.ts'
import { checkFields, checkNewName, isStorable, nameKey } from './user-checks.ts'
import { importUsers } from './user-import.ts'
import { columnsOf, isActiveAdmin, requireAdmin, timeOfChange, userOf } from './user-rows.ts'

/** A stored user: the fields that `userFields` declares, and the id, name, password hash and status of the account. */
export type User = UserFieldValues & {
  readonly id: number
  readonly username: string
  /**
   * The hash of the password. It begins with `$argon2id$`, or with `$2a$`, `$2b$` or `$2y$` (bcrypt) for a user that
   * was imported from File Browser.
   */
  readonly passwordHash: string
  readonly isDisabled: boolean
  /**
   * The time of the last change of the user's fields; null when the user was never changed. A login and a new hash of
   * the same password do not count as changes. Each change has a later time than the change before it.
   */
  readonly changedAtMs: number | null
}

/** A user as far as requests need to know: without the hash of the password. */
export type Account = Omit<User, 'passwordHash'>

export type UserFields = Omit<User, 'id' | 'changedAtMs'>

/** A list of users to import, and the way in which stored users with the same ids are handled. */
export type UserImportRequest = {
  /** A user with the id 0 gets a new id. */
  readonly users: readonly (UserFields & { readonly id: number })[]
  /**
   * What happens when a stored user has the id of an imported user: the import is refused, or the stored user is
   * overwritten. `replace-all` also removes the stored users that are not in the list.
   */
  readonly onExistingId: 'refuse' | 'overwrite' | 'replace-all'
  /** The highest id that a user of the imported system ever had. New users get ids above it. */
  readonly lastId?: number
}

/**
 * The store of users. Except for `rehash`, the functions that write throw `name-taken` when another user has the same
 * name or a name that differs only in case, `bad-request` for a name or field that cannot be stored, and `not-found`
 * for an unknown id.
 */
export type UserStore = {
  find(id: number): Promise<User | null>
  /** Finds the user with exactly this name. The comparison is case-sensitive. */
  findByName(username: string): Promise<User | null>
  /** True when a user has this name, or a name that differs from it only in case or in the composition of letters. */
  hasSimilarName(username: string): Promise<boolean>
  list(): Promise<readonly User[]>
  add(fields: UserFields): Promise<User>
  /**
   * Imports users in one transaction. Unlike with `add`, the names of two users may differ only in case. A new user
   * keeps the given id when no user ever had this id. Throws `name-taken` when an id exists and `onExistingId` is
   * `refuse`, or when another user has the same name. Throws `forbidden` when no enabled administrator would be left.
   */
  importAll(request: UserImportRequest): Promise<readonly User[]>
  /**
   * Changes the given fields in one transaction, and sets `changedAtMs`. Throws `forbidden` when no enabled
   * administrator would be left.
   */
  update(id: number, fields: Partial<UserFields>): Promise<User>
  /**
   * Works like `update` with fields that `change` computes from the stored user. No other call can change a user
   * between the read and the write.
   */
  updateBy(
    id: number,
    change: (before: User) => Partial<UserFields> | Promise<Partial<UserFields>>,
  ): Promise<User>
  /** Returns any stored password hash that begins with the prefix; null when no hash does. */
  findHashWithPrefix(prefix: string): Promise<string | null>
  /**
   * Stores a stronger hash of the same password, unless the password has changed since. `changedAtMs` stays unchanged.
   */
  rehash(id: number, change: { readonly from: string; readonly to: string }): Promise<void>
  /** Removes a user. Throws `forbidden` when no enabled administrator would be left. */
  remove(id: number): Promise<void>
}

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
