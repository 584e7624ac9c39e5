import type { Selectable } from 'kysely'
import { pickMembers } from '../../shared/contract/fields/fields.ts'
import { userFieldNames, type UserFieldValues } from '../../shared/contract/fields/user-fields.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { User, UserFields } from './user-store.ts'
import type { Database, DatabaseTables } from './sql/tables.ts'

type UserRow = Selectable<DatabaseTables['user']>

/** Converts a row into a user. */
export function userOf({ id, username, password_hash, is_disabled, doc, changed_at }: UserRow): User {
  return {
    ...(JSON.parse(doc) as UserFieldValues),
    id,
    username,
    passwordHash: password_hash,
    isDisabled: is_disabled === 1,
    changedAtMs: changed_at,
  }
}

/** Converts the fields of a user into columns, except the column `name_key`. */
export function columnsOf(fields: UserFields) {
  return {
    username: fields.username,
    password_hash: fields.passwordHash,
    is_admin: Number(fields.perm.admin),
    is_disabled: Number(fields.isDisabled),
    doc: JSON.stringify(pickMembers(fields, userFieldNames)),
  }
}

/**
 * Returns the time of a change, which is later than the time of the user's former change, even if both happen in the
 * same millisecond or the clock was set back. A login that is in flight detects a change of the user by this time.
 */
export const timeOfChange = ({ changedAtMs }: Pick<User, 'changedAtMs'>, atMs: number): number =>
  changedAtMs === null ? atMs : Math.max(atMs, changedAtMs + 1)

/** Returns true for an enabled administrator. */
export const isActiveAdmin = (user: User): boolean => user.perm.admin && !user.isDisabled

/** Throws `forbidden`, which rolls back the transaction, when no enabled administrator is left. */
export async function requireAdmin(database: Database): Promise<void> {
  const admin = await database
    .selectFrom('user')
    .select('id')
    .where('is_admin', '=', 1)
    .where('is_disabled', '=', 0)
    .limit(1)
    .executeTakeFirst()
  if (!admin) throw new AppError('forbidden', { reason: 'the last administrator cannot be removed' })
}
