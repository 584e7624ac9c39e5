import { viewModes, type ViewMode } from '../../../shared/contract/users.ts'
import { permissions, type Permission, type Rule } from '../../../shared/domain/access.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import type { Sorting } from '../../../shared/domain/sorting.ts'
import { isPasswordHash } from '../../auth/passwords.ts'
import type { User, UserDefaults, UserFields } from '../../records/port.ts'
import type { Members } from './members.ts'

/** A user in the original's shape, hash included; what only we know is said only where it says something (contract 10.1). */
export const recordOfUser = ({
  changedAtMs: _changedAtMs,
  passwordHash,
  isDisabled,
  id,
  username,
  quotaBytes,
  ...rest
}: User) => ({
  id,
  username,
  password: passwordHash,
  ...rest,
  rules: rest.rules.map(recordOfRule),
  ...recordOfQuota(quotaBytes),
  ...(isDisabled ? { isDisabled } : {}),
})

export const recordOfQuota = (quotaBytes: number | null) => (quotaBytes === null ? {} : { quotaBytes })

/** The original stores an empty expression beside a path. */
export const recordOfRule = ({ regex, allow, path, regexp }: Rule) => ({ regex, allow, path, regexp })

/** A user as exported; id 0 for none. `bad-request` for what is no user. */
export function userOfRecord(record: Members): UserFields & { readonly id: number } {
  const username = record.text('username')
  const passwordHash = record.text('password')
  if (!isPasswordHash(passwordHash))
    throw new AppError('bad-request', { reason: `user ${username}: the password is no hash of a known kind` })
  return {
    ...defaultsOfRecord(record, 'list'),
    id: record.number('id', 0),
    username,
    passwordHash,
    lockPassword: record.toggle('lockPassword'),
    rules: rulesOfRecord(record),
    isDisabled: record.toggle('isDisabled'),
  }
}

/** What users and the defaults of users have in common. An unknown view mode or sorting falls back (contract 15.4, 6). */
export function defaultsOfRecord(record: Members, usualView: ViewMode): UserDefaults {
  const view = record.text('viewMode')
  const perm = record.members('perm')
  return {
    scope: record.text('scope'),
    locale: record.text('locale'),
    viewMode: viewModes.find((mode) => mode === view) ?? usualView,
    singleClick: record.toggle('singleClick'),
    redirectAfterCopyMove: record.toggle('redirectAfterCopyMove'),
    sorting: sortingOf(record.members('sorting')),
    perm: Object.fromEntries(permissions.map((name) => [name, perm.toggle(name)])) as Record<
      Permission,
      boolean
    >,
    commands: record.texts('commands'),
    hideDotfiles: record.toggle('hideDotfiles'),
    dateFormat: record.toggle('dateFormat'),
    aceEditorTheme: record.text('aceEditorTheme'),
    quotaBytes: record.has('quotaBytes') ? record.number('quotaBytes', 0) : null,
  }
}

function sortingOf(sorting: Members): Sorting {
  const by = sorting.text('by')
  return {
    by: (['', 'name', 'size', 'modified'] as const).find((key) => key === by) ?? '',
    asc: sorting.toggle('asc'),
  }
}

/** Rules as written, broken expressions too; a path gets the slash that it lacks. */
export const rulesOfRecord = (record: Members): readonly Rule[] =>
  record.list('rules').map((rule) => {
    const [regex, path] = [rule.toggle('regex'), rule.text('path')]
    return {
      regex,
      allow: rule.toggle('allow'),
      path: regex || path.startsWith('/') ? path : `/${path}`,
      regexp: rule.has('regexp') ? { raw: rule.members('regexp').text('raw') } : null,
    }
  })
