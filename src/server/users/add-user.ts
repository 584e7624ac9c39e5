import type { Settings } from '../../shared/contract/setting-fields.ts'
import { initialUserValues } from '../../shared/contract/user-fields.ts'
import { homeScope } from '../../shared/domain/home-scope.ts'
import type { Actor } from '../access/actor.ts'
import type { User, UserFields } from '../records/port.ts'
import {
  isAbsentMember,
  readFields,
  readPermissions,
  requestFields,
  type RequestMembers,
} from './field-readers.ts'
import type { UserDependencies } from './user-dependencies.ts'
import { checkCurrentPassword, hashNewPassword } from './user-passwords.ts'

/** The fields of a new user, and the actor's own password, which is checked when it is given. */
export type RequestedUser = {
  readonly fields: RequestMembers
  readonly currentPassword: string | null | undefined
}

/**
 * Creates a user. A field that is missing gets the default for new users from the settings (contract 10.3, A20). An id
 * among the fields is ignored.
 */
export async function addUser(
  dependencies: UserDependencies,
  actor: Pick<Actor, 'user'>,
  { fields: sent, currentPassword }: RequestedUser,
): Promise<User> {
  await checkCurrentPassword(dependencies, actor.user, currentPassword)
  const settings = await dependencies.settings()
  const draft = await draftOf(dependencies, settings, sent)
  const requestedScope = typeof sent['scope'] === 'string' ? draft.scope : null
  const fields = {
    ...draft,
    scope: homeScope(settings, draft.username, requestedScope),
    passwordHash: await hashNewPassword(dependencies, sent['password'] ?? ''),
  }
  return dependencies.provision(fields, settings.createUserDir ? 'shared' : 'none')
}

/** Returns the defaults for new users, overridden by the fields that were sent. */
async function draftOf(
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
