import type { Insertable } from 'kysely'
import { AppError } from '../../shared/domain/failure.ts'
import { highestUserId, holdTable, noteUserId } from './dialect.ts'
import type { User, UserFields, UserImport } from './port.ts'
import type { Database, Tables } from './tables.ts'
import { endSessionsOf } from './sessions.ts'
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
    const { users, highest } = await withOwnIds(inside, wish.users)
    await giveUpNames(inside, users)
    const stored: User[] = []
    for (const user of users)
      stored.push(await storeUser(inside, user, { atMs: nowMs(), onKnown: wish.onKnown }))
    if (before.some(isWorkingAdmin)) await requireAdmin(inside)
    // At the end: where the import is taken back, PostgreSQL keeps this all the same.
    if (highest > 0) await noteUserId(inside, highest)
    return stored
  })
}

type Settled = UserFields & {
  readonly id: number
  /** Who has the id so far. */
  readonly known: User | null
}

/**
 * The users under the ids that they will have, all settled before the first one is stored: that of the file for who is known by it,
 * and where nobody ever had it, else one above all others, since rows elsewhere may still name who had it. And the highest id.
 */
async function withOwnIds(
  inside: Database,
  users: UserImport['users'],
): Promise<{ readonly users: readonly Settled[]; readonly highest: number }> {
  const rows = await inside.selectFrom('user').selectAll().execute()
  const knownById = new Map(rows.map((row) => [row.id, userOf(row)]))
  const highestEver = await highestUserId(inside)
  let highest = users.reduce((most, { id }) => Math.max(most, id), highestEver)
  const settled = users.map((user) => {
    const known = knownById.get(user.id) ?? null
    return { ...user, known, id: known || user.id > highestEver ? user.id : (highest += 1) }
  })
  return { users: settled, highest }
}

/** Whoever has another name than the file says is somebody else: their sessions and rows do not pass to the new one. */
async function removeOthers(inside: Database, before: readonly User[], { users }: UserImport): Promise<void> {
  const isKept = (user: User) =>
    users.some(({ id, username }) => id === user.id && username === user.username)
  for (const user of before) {
    if (!isKept(user)) await inside.deleteFrom('user').where('id', '=', user.id).execute()
  }
}

/** Who will have another name has none that anybody could want meanwhile: two in the list may pass theirs to each other. */
async function giveUpNames(inside: Database, users: readonly Settled[]): Promise<void> {
  const renamed = users.filter(({ known, username }) => known !== null && known.username !== username)
  for (const { id } of renamed) {
    const name = `\u0001${id}`
    await inside.updateTable('user').set({ username: name, name_key: name }).where('id', '=', id).execute()
  }
}

type Storing = { readonly atMs: number; readonly onKnown: UserImport['onKnown'] }

async function storeUser(
  inside: Database,
  { id, known, ...fields }: Settled,
  { atMs, onKnown }: Storing,
): Promise<User> {
  checkNamed(fields)
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
  if (!known) return addUser(inside, { ...columns, id, created_at: atMs, rev: 1 })
  const row = await inside
    .updateTable('user')
    .set((at) => ({ ...columns, changed_at: atMs, rev: at('rev', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const isOther = known.passwordHash !== row.password_hash || known.username !== row.username
  if (isOther || fields.isDisabled) await endSessionsOf(inside, id, atMs)
  return userOf(row)
}

const addUser = async (inside: Database, values: Insertable<Tables['user']>): Promise<User> =>
  userOf(await inside.insertInto('user').values(values).returningAll().executeTakeFirstOrThrow())

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
