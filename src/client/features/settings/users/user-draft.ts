import { accountFields, userFields } from '../../../../shared/contract/fields/user-fields.ts'
import type { UserResource } from '../../../../shared/contract/users.ts'
import type { JsonOf } from '../../../api/call-options.ts'
import { homeIn } from './copied-home.ts'

/** The table of all fields of the form of a user. */
export const userTable = { ...accountFields, ...userFields }

/** A user as the form edits it. */
export type UserDraft = Omit<UserResource, 'id' | 'password'> & {
  /** The new password. It is empty while the stored one stays. */
  readonly password: string
  /** The administrator's own password, which the server checks before it changes a user. */
  readonly current: string
}

/**
 * Returns the draft of a new user: the defaults of the settings, without a name, a password and rules (specification 4). With a
 * folder for home folders, the scope is empty until the new user has a name.
 */
export const draftOfNewUser = (
  { defaults }: JsonOf<'settings.get'>,
  homeBase: string | null = null,
): UserDraft => ({
  ...defaults,
  ...(homeBase !== null && { scope: homeIn(homeBase, '') }),
  username: '',
  password: '',
  current: '',
  rules: [],
  lockPassword: false,
  isDisabled: false,
})

/**
 * Returns the draft of a new user with the fields of an existing user. The name and the password are empty, and the new account
 * is enabled. When the existing user has a home folder, the scope is empty until the new user has a name (decision 86).
 */
export const draftOfCopy = (user: UserResource, homeBase: string | null): UserDraft => ({
  ...draftOfUser(user),
  username: '',
  isDisabled: false,
  ...(homeBase !== null && { scope: homeIn(homeBase, '') }),
})

/** Returns the draft of a stored user. */
export const draftOfUser = ({ id: _id, ...user }: UserResource): UserDraft => ({
  ...user,
  password: '',
  current: '',
})

/** Returns true when the scope of a new user is the home folder with the name of the user. */
export const isHomeOf = (
  { scope, username }: Pick<UserDraft, 'scope' | 'username'>,
  homeBase: string | null,
): boolean => homeBase !== null && scope === homeIn(homeBase, username)

/**
 * Returns a draft with changes. The home folder of a new user follows the name until the administrator chooses another scope.
 * `homeBase` is null when the scope does not depend on the name. Administrators have an unlocked password.
 */
export function withChanges(
  draft: UserDraft,
  changes: Partial<UserDraft>,
  homeBase: string | null,
): UserDraft {
  return {
    ...draft,
    ...(homeBase !== null &&
      isHomeOf(draft, homeBase) &&
      changes.username !== undefined && { scope: homeIn(homeBase, changes.username) }),
    ...(changes.perm?.admin === true && { lockPassword: false }),
    ...changes,
  }
}
