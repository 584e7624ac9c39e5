import type { Settings } from '../../shared/contract/setting-fields.ts'
import { initialUserValues } from '../../shared/contract/user-fields.ts'
import type { createUser } from '../../shared/contract/users.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { homeScope } from '../../shared/domain/home-scope.ts'
import type { RouteResponse, OperationRequest } from '../http/route.ts'
import type { UserFields } from '../records/port.ts'
import {
  isAbsentMember,
  readFields,
  readPermissions,
  requestFields,
  type RequestMembers,
} from './field-readers.ts'
import type { UserDependencies } from './user-dependencies.ts'
import { checkCurrentPassword, hashNewPassword } from './user-passwords.ts'

/**
 * Creates a user. A field that the request does not contain gets the default for new users from the settings (contract
 * 10.3, A20). An id in the request is ignored.
 */
export async function addUser(
  dependencies: UserDependencies,
  { caller, body }: OperationRequest<typeof createUser>,
): Promise<RouteResponse> {
  if (body.what !== 'user') throw new AppError('bad-request', { reason: 'unknown kind of record' })
  if ((body.which ?? []).length > 0)
    throw new AppError('bad-request', { reason: 'a new user needs all fields' })
  await checkCurrentPassword(dependencies, caller.user, body.current_password)
  const settings = await dependencies.settings()
  const draft = await requestedUser(dependencies, settings, body.data)
  const requestedScope = typeof body.data['scope'] === 'string' ? draft.scope : null
  const fields = {
    ...draft,
    scope: homeScope(settings, draft.username, requestedScope),
    passwordHash: await hashNewPassword(dependencies, body.data['password'] ?? ''),
  }
  const user = await dependencies.provision(fields, settings.createUserDir ? 'shared' : 'none')
  return { kind: 'status', status: 201, headers: { Location: `/settings/users/${user.id}` } }
}

/** Returns the defaults for new users, overridden by the fields of the request. */
async function requestedUser(
  { isExecOn }: UserDependencies,
  { defaults }: Settings,
  sent: RequestMembers,
): Promise<UserFields> {
  const names = requestFields.filter((name) => name === 'username' || !isAbsentMember(sent[name]))
  return {
    ...initialUserValues,
    ...defaults,
    perm: readPermissions(defaults.perm, isExecOn),
    username: '',
    passwordHash: '',
    isDisabled: false,
    ...(await readFields(sent, { names, isExecOn })),
  }
}
