import { allPermissions, type Permissions } from '../../../../shared/domain/access.ts'
import type { UserResource } from '../../../../shared/contract/users.ts'
import type { JsonOf } from '../../../api/call-options.ts'
import { isSame } from '../global/merge-changes.ts'
import { homeIn } from './copied-home.ts'

/** The fields of a user that the form edits. */
const editedFields = [
  'username',
  'password',
  'scope',
  'locale',
  'lockPassword',
  'isDisabled',
  'perm',
  'commands',
  'rules',
  'quotaBytes',
] as const
export type EditedField = (typeof editedFields)[number]

/** A user as the form edits it. Its password is the new one, and is empty while the stored one stays. */
export type UserDraft = Omit<UserResource, 'id' | 'password'> & { readonly password: string }

/** Returns the draft of a new user: the defaults of the settings, without a name, a password and rules (specification 4). */
export const draftOfNewUser = ({ defaults }: JsonOf<'settings.get'>): UserDraft => ({
  ...defaults,
  username: '',
  password: '',
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
export const draftOfUser = ({ id: _id, ...user }: UserResource): UserDraft => ({ ...user, password: '' })

/**
 * Returns the names of the fields that differ from the stored user. An empty password does not count as a change
 * (specification 5).
 */
export const changedFields = (stored: UserDraft, draft: UserDraft): readonly EditedField[] =>
  editedFields.filter((name) => !isSame(stored[name], draft[name]))

/**
 * Returns a draft with changes. The home folder of a new user follows the name until the administrator chooses another scope.
 * `homeBase` is null when the scope does not depend on the name.
 */
export function withChanges(
  draft: UserDraft,
  changes: Partial<UserDraft>,
  homeBase: string | null,
): UserDraft {
  const isHome = homeBase !== null && draft.scope === homeIn(homeBase, draft.username)
  return {
    ...draft,
    ...(isHome && changes.username !== undefined && { scope: homeIn(homeBase, changes.username) }),
    ...changes,
  }
}

/** Returns the draft with other permissions. Administrators have all permissions and an unlocked password. */
export function withPermissions(draft: UserDraft, perm: Permissions): UserDraft {
  if (!perm.admin) return { ...draft, perm }
  return { ...draft, perm: allPermissions, lockPassword: false }
}
