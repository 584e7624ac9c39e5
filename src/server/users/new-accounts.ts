import { initialUserValues } from '../../shared/contract/fields/user-fields.ts'
import { homeScope, homeFolderOf } from '../../shared/domain/home-scope.ts'
import { root } from '../../shared/domain/path.ts'
import { confinedScope } from '../access/narrow-to-user.ts'
import type { User, UserFields } from '../records/user-store.ts'
import type { Settings } from '../../shared/contract/setting-fields.ts'
import type { HomePolicy } from './provision-user.ts'

export type NewAccountDependencies = {
  readonly settings: () => Promise<Settings>
  readonly provision: (fields: UserFields, policy: HomePolicy) => Promise<User>
}

export type NewAccount = Pick<UserFields, 'username' | 'passwordHash'>

/**
 * Returns the fields of a user who was not created by an administrator: the defaults for new users, without the
 * permissions that only an administrator may give.
 */
export const newAccountFields = ({ defaults }: Settings, account: NewAccount): UserFields => ({
  ...initialUserValues,
  ...defaults,
  ...account,
  perm: { ...defaults.perm, admin: false, execute: false },
  commands: [],
  isDisabled: false,
})

/**
 * Stores a user who signed up. The scope is never the root: when the default scope is the root, a home folder is
 * created even when home folders are switched off. Throws `name-taken` when the home folder already exists (contract
 * 2.6).
 */
export async function addSignedUpUser(
  dependencies: NewAccountDependencies,
  account: NewAccount,
): Promise<User> {
  const settings = await dependencies.settings()
  const ownScope = homeFolderOf(settings, account.username)
  const fields = newAccountFields(settings, account)
  const defaultScope = confinedScope(settings.defaults.scope) ?? root
  return settings.createUserDir || defaultScope === root
    ? dependencies.provision({ ...fields, scope: ownScope }, 'exclusive')
    : dependencies.provision(fields, 'none')
}

/**
 * Stores a user whom another program has authenticated, with the fields that the program returned. The user cannot
 * change the password. When the home folder already exists, the next free name is used (contract 2.7).
 */
export async function addExternalUser(
  dependencies: NewAccountDependencies,
  account: NewAccount,
  change: (fields: UserFields) => Partial<UserFields>,
): Promise<User> {
  const settings = await dependencies.settings()
  const fields = { ...newAccountFields(settings, account), lockPassword: true }
  const named = change(fields)
  const scope = homeScope(settings, account.username, named.scope ?? null)
  const policy: HomePolicy = (named.scope ?? '') === '' ? 'next-free' : 'shared'
  return dependencies.provision({ ...fields, ...named, scope }, settings.createUserDir ? policy : 'none')
}
