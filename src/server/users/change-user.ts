import { userField, userFields } from '../../shared/contract/fields/user-fields.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Actor } from '../access/actor.ts'
import type { UserFields } from '../records/user-store.ts'
import {
  isAbsentMember,
  isAccountField,
  readFields,
  requestFields,
  type RequestField,
  type RequestMembers,
} from './field-readers.ts'
import type { UserDependencies } from './user-dependencies.ts'
import { checkCurrentPassword, hashNewPassword } from './user-passwords.ts'

type ChangeableField = RequestField | 'password'

/** The fields of a user to change. */
export type UserChange = {
  readonly id: number
  /** The names of the fields to change. A missing list, an empty list and the list `['all']` mean every field. */
  readonly which: readonly string[] | null | undefined
  readonly fields: RequestMembers
  /** The actor's own password, which is checked when it is given. */
  readonly currentPassword: string | null | undefined
  /** The session that does not end when the actor changes the own password. */
  readonly ownSessionId: string
}

/** Changes the fields that are listed in `which`. When one field is refused, no field is changed. */
export async function changeUser(
  dependencies: UserDependencies,
  actor: Pick<Actor, 'user' | 'may'>,
  { id, which: listed, fields: sent, currentPassword, ownSessionId }: UserChange,
): Promise<void> {
  const isAdmin = actor.may('admin')
  const which = namesIn(listed)
  if (!isAdmin && (which === 'all' || which.some(isForAdmins))) throw new AppError('forbidden')
  const user = await dependencies.users.find(id)
  if (user === null) throw new AppError('not-found')
  const names = which === 'all' ? allNames(sent) : which
  if (names.includes('password') && user.lockPassword && !isAdmin) throw new AppError('forbidden')
  await checkCurrentPassword(dependencies, actor.user, currentPassword)
  const fields = await readChanges(dependencies, names, sent)
  await dependencies.updateUser(id, fields)
  if (fields.passwordHash !== undefined)
    await dependencies.endSessions(id, id === actor.user.id ? ownSessionId : undefined)
}

/**
 * Returns true for a field that only administrators may change. Other users may not change it even in their own record
 * (contract 10.4).
 */
const isForAdmins = (name: ChangeableField): boolean =>
  isAccountField(name) || (name !== 'password' && userFields[name].changedBy === 'admin')

/**
 * Returns the fields that are listed in `which`. Throws `bad-request` for an unknown name.
 */
function namesIn(which: UserChange['which']): readonly ChangeableField[] | 'all' {
  const names = (which ?? []).map((name) => name.slice(0, 1).toLowerCase() + name.slice(1))
  if (names.length === 0 || (names.length === 1 && names[0] === 'all')) return 'all'
  if (!names.every(isChangeableField)) throw new AppError('bad-request', { reason: 'unknown field' })
  return names
}

const changeableFields: ReadonlySet<string> = new Set(['password', ...requestFields])

const isChangeableField = (name: string): name is ChangeableField => changeableFields.has(name)

/**
 * Returns the fields that change when a request sends a whole record. An empty password keeps the stored password. A
 * field that the clients of File Browser do not know is changed only when the record contains it. For `isDisabled`, null
 * equals a missing value; for a quota, null means that there is no quota.
 */
function allNames(sent: RequestMembers): readonly ChangeableField[] {
  const fields = requestFields.filter((name) => !isUnknownToOriginal(name) || isSent(name, sent[name]))
  const keepsPassword = (sent['password'] ?? '') === ''
  return keepsPassword ? fields : [...fields, 'password']
}

const isSent = (name: ChangeableField, value: unknown): boolean =>
  name === 'isDisabled' ? !isAbsentMember(value) : value !== undefined

const isUnknownToOriginal = (name: ChangeableField): boolean =>
  name === 'isDisabled' ||
  (name !== 'username' && name !== 'password' && userField(name).isUnknownToOriginal === true)

async function readChanges(
  dependencies: UserDependencies,
  names: readonly ChangeableField[],
  sent: RequestMembers,
): Promise<Partial<UserFields>> {
  const { isExecOn } = dependencies
  const fields = await readFields(sent, { names: names.filter((name) => name !== 'password'), isExecOn })
  if (!names.includes('password')) return fields
  return { ...fields, passwordHash: await hashNewPassword(dependencies, sent['password']) }
}
