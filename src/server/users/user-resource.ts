import type { UserResource } from '../../shared/contract/users.ts'
import type { User } from '../records/port.ts'

/** A user as answered: never a password, and the scope for administrators only (contract 10.1, 10.2). */
export const userResource = (user: User, isForAdmin: boolean): UserResource => ({
  id: user.id,
  username: user.username,
  password: '',
  scope: isForAdmin ? user.scope : '',
  locale: user.locale,
  lockPassword: user.lockPassword,
  viewMode: user.viewMode,
  singleClick: user.singleClick,
  redirectAfterCopyMove: user.redirectAfterCopyMove,
  perm: user.perm,
  commands: user.commands,
  sorting: { by: user.sorting.by === '' ? 'name' : user.sorting.by, asc: user.sorting.asc },
  rules: user.rules,
  hideDotfiles: user.hideDotfiles,
  dateFormat: user.dateFormat,
  aceEditorTheme: user.aceEditorTheme,
  quotaBytes: user.quotaBytes,
})
