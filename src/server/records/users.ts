import type { Selectable } from 'kysely'
import { AppError } from '../../shared/domain/failure.ts'
import { isUniqueViolation } from './constraint.ts'
import type { User, UserFields, Users } from './port.ts'
import type { Database, Tables } from './tables.ts'
import { checkFields, nameKey } from './user-fields.ts'

type Row = Selectable<Tables['user']>
type Doc = Omit<User, 'id' | 'username' | 'passwordHash' | 'isDisabled' | 'changedAtMs'>

/** People in the database. */
export function createUsers(database: Database, nowMs: () => number): Users {
  const find = (id: number) => findUser(database, id)

  return {
    find,
    async findByName(username) {
      const row = await database
        .selectFrom('user')
        .selectAll()
        .where('username', '=', username)
        .executeTakeFirst()
      return row ? userOf(row) : null
    },
    async list() {
      return (await database.selectFrom('user').selectAll().orderBy('id').execute()).map(userOf)
    },
    async add(fields) {
      checkFields(fields)
      const row = await namesApart(
        database
          .insertInto('user')
          .values({ ...columnsOf(fields), name_key: nameKey(fields.username), created_at: nowMs(), rev: 1 })
          .returningAll()
          .executeTakeFirstOrThrow(),
      )
      return userOf(row)
    },
    update: (id, fields) => updateUser(database, id, { fields, atMs: nowMs() }),
    async rehash(id, { from, to }) {
      await database
        .updateTable('user')
        .set({ password_hash: to })
        .where('id', '=', id)
        .where('password_hash', '=', from)
        .execute()
    },
    remove: (id) =>
      database.transaction().execute(async (inside) => {
        const user = await knownUser(inside, id)
        await inside.deleteFrom('user').where('id', '=', id).execute()
        if (isWorkingAdmin(user)) await requireAdmin(inside)
      }),
  }
}

async function updateUser(
  database: Database,
  id: number,
  { fields, atMs }: { readonly fields: Partial<UserFields>; readonly atMs: number },
): Promise<User> {
  return database.transaction().execute(async (inside) => {
    const before = await knownUser(inside, id)
    const after = { ...before, ...fields }
    checkFields(after)
    const { username, ...columns } = columnsOf(after)
    const name = username === before.username ? {} : { username, name_key: nameKey(username) }
    await namesApart(
      inside
        .updateTable('user')
        .set((at) => ({ ...columns, ...name, changed_at: atMs, rev: at('rev', '+', 1) }))
        .where('id', '=', id)
        .execute(),
    )
    if (isWorkingAdmin(before)) await requireAdmin(inside)
    return knownUser(inside, id)
  })
}

async function findUser(database: Database, id: number): Promise<User | null> {
  const row = await database.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? userOf(row) : null
}

async function knownUser(database: Database, id: number): Promise<User> {
  const user = await findUser(database, id)
  if (!user) throw new AppError('not-found')
  return user
}

const isWorkingAdmin = (user: User): boolean => user.perm.admin && !user.isDisabled

/** Undoes the transaction that it is asked in when nobody could administrate any more. */
async function requireAdmin(database: Database): Promise<void> {
  const admin = await database
    .selectFrom('user')
    .select('id')
    .where('is_admin', '=', 1)
    .where('is_disabled', '=', 0)
    .limit(1)
    .executeTakeFirst()
  if (!admin) throw new AppError('forbidden', { reason: 'the last administrator cannot go' })
}

async function namesApart<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (cause) {
    throw isUniqueViolation(cause) ? new AppError('name-taken', { cause }) : cause
  }
}

function userOf({ id, username, password_hash, is_disabled, doc, changed_at }: Row): User {
  return {
    ...(JSON.parse(doc) as Doc),
    id,
    username,
    passwordHash: password_hash,
    isDisabled: is_disabled === 1,
    changedAtMs: changed_at,
  }
}

function columnsOf(fields: UserFields) {
  const doc: Doc = {
    scope: fields.scope,
    locale: fields.locale,
    lockPassword: fields.lockPassword,
    viewMode: fields.viewMode,
    singleClick: fields.singleClick,
    redirectAfterCopyMove: fields.redirectAfterCopyMove,
    perm: fields.perm,
    commands: fields.commands,
    sorting: fields.sorting,
    rules: fields.rules,
    hideDotfiles: fields.hideDotfiles,
    dateFormat: fields.dateFormat,
    aceEditorTheme: fields.aceEditorTheme,
  }
  return {
    username: fields.username,
    password_hash: fields.passwordHash,
    is_admin: Number(fields.perm.admin),
    is_disabled: Number(fields.isDisabled),
    doc: JSON.stringify(doc),
  }
}
