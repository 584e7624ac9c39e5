import type { Selectable } from 'kysely'
import { AppError } from '../../shared/domain/failure.ts'
import type { User, UserFields } from './port.ts'
import type { Database, Tables } from './tables.ts'

type Row = Selectable<Tables['user']>
type Doc = Omit<User, 'id' | 'username' | 'passwordHash' | 'isDisabled' | 'changedAtMs'>

/** A user as stored. */
export function userOf({ id, username, password_hash, is_disabled, doc, changed_at }: Row): User {
  return {
    ...(JSON.parse(doc) as Doc),
    id,
    username,
    passwordHash: password_hash,
    isDisabled: is_disabled === 1,
    changedAtMs: changed_at,
  }
}

/** What is stored of a user, but for the folded name. */
export function columnsOf(fields: UserFields) {
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
    quotaBytes: fields.quotaBytes,
  }
  return {
    username: fields.username,
    password_hash: fields.passwordHash,
    is_admin: Number(fields.perm.admin),
    is_disabled: Number(fields.isDisabled),
    doc: JSON.stringify(doc),
  }
}

/** Who can administrate. */
export const isWorkingAdmin = (user: User): boolean => user.perm.admin && !user.isDisabled

/** Undoes the transaction that it is asked in when nobody could administrate any more. */
export async function requireAdmin(database: Database): Promise<void> {
  const admin = await database
    .selectFrom('user')
    .select('id')
    .where('is_admin', '=', 1)
    .where('is_disabled', '=', 0)
    .limit(1)
    .executeTakeFirst()
  if (!admin) throw new AppError('forbidden', { reason: 'the last administrator cannot go' })
}
