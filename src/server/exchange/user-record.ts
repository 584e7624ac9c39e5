import { mapFields, pickMembers } from '../../shared/contract/fields/fields.ts'
import {
  defaultFieldNames,
  initialUserValues,
  userField,
  userFieldNames,
  userFields,
  viewModes,
  type UserDefaults,
  type UserFieldName,
  type UserFieldValues,
  type ViewMode,
} from '../../shared/contract/fields/user-fields.ts'
import { permissions, type Permissions, type AccessRule } from '../../shared/domain/access.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { SortPreference } from '../../shared/domain/sorting.ts'
import { isPasswordHash } from '../auth/passwords.ts'
import type { User, UserFields } from '../records/user-store.ts'
import type { RecordReader } from './record-reader.ts'

/**
 * Returns a user in the format of File Browser's exports, including the hash of the password. Members that File Browser
 * does not know are added only when they differ from their initial value (contract 10.1).
 */
export const recordOfUser = ({ id, username, passwordHash, isDisabled, ...user }: User) => ({
  id,
  username,
  password: passwordHash,
  ...pickMembers(
    user,
    userFieldNames.filter((name) => isExported(name, user[name])),
  ),
  rules: user.rules.map(recordOfRule),
  ...(isDisabled ? { isDisabled } : {}),
})

/** Returns the defaults of users in the format of File Browser's exports; see `recordOfUser`. */
export const recordOfDefaults = (defaults: UserDefaults) =>
  pickMembers(
    defaults,
    defaultFieldNames.filter((name) => isExported(name, defaults[name])),
  )

function isExported(name: UserFieldName, value: unknown): boolean {
  const { isUnknownToOriginal, initial } = userField(name)
  return isUnknownToOriginal !== true || JSON.stringify(value) !== JSON.stringify(initial)
}

/**
 * Returns a rule with the members that File Browser writes. For a rule with a path, File Browser also writes an empty
 * expression.
 */
export const recordOfRule = ({ regex, allow, path, regexp }: AccessRule) => ({ regex, allow, path, regexp })

/**
 * Reads a user from an export. A user without an id gets the id 0. Throws `bad-request` with the reason when the record
 * is not a valid user.
 */
export function userOfRecord(record: RecordReader): UserFields & { readonly id: number } {
  const user = uncheckedUserOfRecord(record)
  if (!isPasswordHash(user.passwordHash))
    throw new AppError('bad-request', {
      reason: `user ${user.username}: the password is not a hash of a known kind`,
    })
  return user
}

/** Reads a user as `userOfRecord` does, with any text in the place of the password's hash. */
export function uncheckedUserOfRecord(record: RecordReader): UserFields & { readonly id: number } {
  return {
    ...mapFields(userFields, userFieldNames, fieldReaders(record, 'list')),
    ...initialValuesOfAbsent(record),
    id: record.number('id', 0),
    username: record.text('username'),
    passwordHash: record.text('password'),
    isDisabled: record.toggle('isDisabled'),
  }
}

/** Reads the defaults of users from an export. */
export const defaultsOfRecord = (record: RecordReader): UserDefaults =>
  pickMembers(
    {
      ...mapFields(userFields, defaultFieldNames, fieldReaders(record, 'mosaic')),
      ...initialValuesOfAbsent(record),
    },
    defaultFieldNames,
  )

/**
 * Returns a reader for each kind of field. An unknown view mode or sort key is replaced by a default (contract 15.4,
 * 6).
 */
const fieldReaders = (record: RecordReader, usualView: ViewMode) => ({
  switch: (name: string) => record.toggle(name),
  text: (name: string) => record.text(name),
  words: (name: string) => record.texts(name),
  rules: (): readonly AccessRule[] => rulesOfRecord(record),
  scope: (name: string) => record.text(name),
  language: (name: string) => record.text(name),
  viewMode: (name: string) => viewModes.find((mode) => mode === record.text(name)) ?? usualView,
  permissions: (name: string) => permissionsOf(record.members(name)),
  sorting: (name: string) => sortingOf(record.members(name)),
  quota: (name: string): number | null => record.number(name, 0),
})

/** Returns the initial values of the fields that File Browser does not know and that the record does not have. */
const initialValuesOfAbsent = (record: RecordReader): Partial<UserFieldValues> =>
  pickMembers(
    initialUserValues,
    userFieldNames.filter((name) => userField(name).isUnknownToOriginal === true && !record.has(name)),
  )

const permissionsOf = (record: RecordReader): Permissions =>
  Object.fromEntries(permissions.map((name) => [name, record.toggle(name)])) as Permissions

function sortingOf(record: RecordReader): SortPreference {
  const by = record.text('by')
  return {
    by: (['', 'name', 'size', 'modified'] as const).find((key) => key === by) ?? '',
    asc: record.toggle('asc'),
  }
}

/** Reads rules without validation, so expressions may be invalid. A missing leading slash is added to a path. */
export const rulesOfRecord = (record: RecordReader): readonly AccessRule[] =>
  record.list('rules').map((rule) => {
    const [regex, path] = [rule.toggle('regex'), rule.text('path')]
    return {
      regex,
      allow: rule.toggle('allow'),
      path: regex || path.startsWith('/') ? path : `/${path}`,
      regexp: rule.has('regexp') ? { raw: rule.members('regexp').text('raw') } : null,
    }
  })
