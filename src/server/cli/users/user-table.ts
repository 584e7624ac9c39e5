import { permissions } from '../../../shared/domain/access.ts'
import type { User } from '../../records/user-store.ts'
import { textTable } from '../verb/text-table.ts'

/** Formats users as a table with one user per line, without the hashes of their passwords. */
export const userTable = (users: readonly User[]): string =>
  textTable([
    ['ID', 'Username', 'Scope', 'Locale', 'View mode', 'Sorting', 'Locked', 'Quota', 'Permissions'],
    ...users.map((user) => [
      String(user.id),
      user.username,
      user.scope,
      user.locale,
      user.viewMode,
      `${user.sorting.by || 'name'}${user.sorting.asc ? ' asc' : ''}`,
      user.lockPassword ? 'yes' : 'no',
      user.quotaBytes === null ? '-' : String(user.quotaBytes),
      user.isDisabled ? 'disabled' : permissions.filter((name) => user.perm[name]).join(' ') || '-',
    ]),
  ])
