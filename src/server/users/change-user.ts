import { userField, userFields } from '../../shared/contract/user-fields.ts'
import type { updateUser } from '../../shared/contract/users.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { done, type RouteResponse, type OperationRequest } from '../http/route.ts'
import type { UserFields } from '../records/port.ts'
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

/** Changes the fields that are listed in `which`. When one field is refused, no field is changed. */
export async function changeUser(
  dependencies: UserDependencies,
  { caller, params: { id }, body }: OperationRequest<typeof updateUser>,
): Promise<RouteResponse> {
  if (body.what !== 'user') throw new AppError('bad-request', { reason: 'unknown kind of record' })
  if (body.data['id'] !== id)
    throw new AppError('bad-request', { reason: 'the id differs from the id in the URL' })
  const isAdmin = caller.may('admin')
  const which = namesIn(body.which)
  if (!isAdmin && (which === 'all' || which.some(isForAdmins))) throw new AppError('forbidden')
  const user = await dependencies.users.find(id)
  if (user === null) throw new AppError('not-found')
  const names = which === 'all' ? allNames(body.data) : which
  if (names.includes('password') && user.lockPassword && !isAdmin) throw new AppError('forbidden')
  await checkCurrentPassword(dependencies, caller.user, body.current_password)
  const fields = await readChanges(dependencies, names, body.data)
  await dependencies.updateUser(id, fields)
  if (fields.passwordHash !== undefined)
    await dependencies.endSessions(id, id === caller.user.id ? caller.session.id : undefined)
  return done
}

/**
 * Returns true for a field that only administrators may change. Other users may not change it even in their own record
 * (contract 10.4).
 */
const isForAdmins = (name: ChangeableField): boolean =>
  isAccountField(name) || (name !== 'password' && userFields[name].changedBy === 'admin')

/**
 * Returns the fields that are listed in `which`. A missing list, an empty list and the list `['all']` mean every field.
 * Throws `bad-request` for an unknown name.
 */
function namesIn(which: readonly string[] | null | undefined): readonly ChangeableField[] | 'all' {
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
