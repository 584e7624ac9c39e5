import { AppError } from '../../shared/domain/failure.ts'
import { highestUserId, holdTable, noteUserId } from './dialect.ts'
import type { User, UserFields, UserImport } from './port.ts'
import type { Database } from './tables.ts'
import { checkFields, nameKey } from './user-fields.ts'
import { columnsOf, isWorkingAdmin, requireAdmin, userOf } from './user-rows.ts'

/** Stores a list of users in one transaction; see `Users.importAll`. */
export function importUsers(
  database: Database,
  nowMs: () => number,
  wish: UserImport,
): Promise<readonly User[]> {
  return database.transaction().execute(async (inside) => {
    await holdTable(inside, 'user')
    const before = (await inside.selectFrom('user').selectAll().execute()).map(userOf)
    if (wish.onKnown === 'replace-all') await removeOthers(inside, before, wish)
    const stored: User[] = []
    for (const user of wish.users)
      stored.push(await storeUser(inside, user, { atMs: nowMs(), onKnown: wish.onKnown }))
    if (before.some(isWorkingAdmin)) await requireAdmin(inside)
    return stored
  })
}

/** Whoever has another name than the file says is somebody else: their sessions and rows do not pass to the new one. */
async function removeOthers(inside: Database, before: readonly User[], { users }: UserImport): Promise<void> {
  const isKept = (user: User) =>
    users.some(({ id, username }) => id === user.id && username === user.username)
  for (const user of before) {
    if (!isKept(user)) await inside.deleteFrom('user').where('id', '=', user.id).execute()
  }
}

type Storing = { readonly atMs: number; readonly onKnown: UserImport['onKnown'] }

async function storeUser(
  inside: Database,
  { id, ...fields }: UserImport['users'][number],
  { atMs, onKnown }: Storing,
): Promise<User> {
  checkNamed(fields)
  const known = await inside.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
  if (known && onKnown === 'refuse')
    throw new AppError('name-taken', { reason: `there is a user with the id ${id} already; see --overwrite` })
  const other = await inside
    .selectFrom('user')
    .select('id')
    .where('username', '=', fields.username)
    .executeTakeFirst()
  if (other && other.id !== id)
    throw new AppError('name-taken', {
      reason: `the name ${fields.username} is taken by the user ${other.id}`,
    })
  const columns = { ...columnsOf(fields), name_key: await keyOf(inside, fields.username, id) }
  if (!known) return addUser(inside, columns, { id, atMs })
  const row = await inside
    .updateTable('user')
    .set((at) => ({ ...columns, changed_at: atMs, rev: at('rev', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (known.password_hash !== row.password_hash || known.username !== row.username)
    await inside
      .updateTable('session')
      .set({ ended_at: atMs })
      .where('user_id', '=', id)
      .where('ended_at', 'is', null)
      .execute()
  return userOf(row)
}

type Columns = ReturnType<typeof columnsOf> & { readonly name_key: string }

/** Under the id of the file if nobody ever had it, else under a new one: rows elsewhere may still name who had it. */
async function addUser(
  inside: Database,
  columns: Columns,
  { id, atMs }: { readonly id: number; readonly atMs: number },
): Promise<User> {
  const isUnused = id > (await highestUserId(inside))
  const row = await inside
    .insertInto('user')
    .values({ ...columns, ...(isUnused ? { id } : {}), created_at: atMs, rev: 1 })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (isUnused) await noteUserId(inside, id)
  return userOf(row)
}

/** Two imported names may differ in case alone: the second one's key is its own. No name holds the character between. */
async function keyOf(inside: Database, username: string, id: number): Promise<string> {
  const key = nameKey(username)
  const other = await inside
    .selectFrom('user')
    .select('id')
    .where('name_key', '=', key)
    .where('id', '!=', id)
    .executeTakeFirst()
  return other ? `${key}\u0001${username}` : key
}

function checkNamed(fields: UserFields): void {
  try {
    checkFields(fields)
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
    throw new AppError(cause.code, { cause, reason: `user ${fields.username}: ${cause.reason}` })
  }
}
