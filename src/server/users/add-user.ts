import type { Settings } from '../../shared/contract/setting-fields.ts'
import { initialUserValues } from '../../shared/contract/fields/user-fields.ts'
import { homeScope } from '../../shared/domain/home-scope.ts'
import type { User, UserFields } from '../records/user-store.ts'
import {
  isAbsentMember,
  readFields,
  readPermissions,
  requestFields,
  type RequestMembers,
} from './field-readers.ts'
import type { UserDependencies } from './user-dependencies.ts'
import { hashNewPassword } from './user-passwords.ts'

/**
 * Creates a user. A field that is missing gets the default for new users from the settings (contract 10.3, A20). An id
 * among the fields is ignored. The folder of the user is created when `createsHome` is true or the settings want it.
 */
export async function addUser(
  dependencies: UserDependencies,
  sent: RequestMembers,
  { createsHome }: { readonly createsHome: boolean },
): Promise<User> {
  const settings = await dependencies.settings()
  const draft = await draftOf(dependencies, settings, sent)
  const requestedScope = typeof sent['scope'] === 'string' ? draft.scope : null
  const fields = {
    ...draft,
    scope: homeScope(settings, draft.username, requestedScope),
    passwordHash: await hashNewPassword(dependencies, sent['password'] ?? ''),
  }
  return dependencies.provision(fields, settings.createUserDir || createsHome ? 'shared' : 'none')
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
