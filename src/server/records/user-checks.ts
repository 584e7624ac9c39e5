import type { AccessRule } from '../../shared/domain/access.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import { byteLength } from '../../shared/domain/name-bytes.ts'
import { viewModes } from '../../shared/contract/fields/user-fields.ts'
import type { UserFields } from './user-store.ts'

const localeLength = 16

/**
 * Returns the key that must be unique among users. Two names have the same key when they differ only in case or in the
 * Unicode composition of their letters.
 */
export const nameKey = (username: string): string => username.normalize('NFC').toLowerCase()

/**
 * Validates the fields of a user before they are stored, whether they come from the API or the command line. Throws
 * `bad-request` with a reason for an invalid field.
 */
export function checkFields(fields: UserFields): void {
  const nameFault = faultOfUsername(fields.username)
  if (nameFault !== null) throw new AppError('bad-request', { reason: nameFault, refused: 'username' })
  const fault = faultOf(fields)
  if (fault !== null) throw new AppError('bad-request', { reason: fault })
  const ruleFault = faultOfRules(fields.rules)
  if (ruleFault !== null) throw new AppError('bad-request', { reason: ruleFault, refused: 'rules' })
}

function faultOfUsername(username: string): string | null {
  if (username.trim() === '') return 'the user name is empty'
  if (byteLength(username) > limits.usernameBytes) return 'the user name is too long'
  return isPlain(username) ? null : 'the user name contains control characters'
}

/**
 * Validates the name of a new user, or a new name of an existing user. Throws `bad-request` with a reason for a name that
 * looks like another name on screen. Names that were imported may have such characters.
 */
export function checkNewName(username: string): void {
  const reason = faultOfNewName(username)
  if (reason !== null) throw new AppError('bad-request', { reason, refused: 'username' })
}

function faultOfNewName(username: string): string | null {
  if (username !== username.trim()) return 'the user name begins or ends with a blank'
  return invisible.test(username) ? 'the user name contains invisible characters' : null
}

/** Characters that have no width, change the direction of the text, or separate lines. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}]/u

function faultOf(fields: UserFields): string | null {
  const { scope, locale, viewMode } = fields
  if (fields.passwordHash === '') return 'the password is empty'
  if (!isStorable(fields.passwordHash)) return 'the password is not a hash'
  if (!isStorable(scope)) return 'the scope holds characters that no folder has'
  if (!isLocale(locale)) return 'the locale is no language tag'
  if (!viewModes.includes(viewMode)) return 'the view mode is unknown'
  if (!['', 'name', 'size', 'modified'].includes(fields.sorting.by)) return 'the sorting is unknown'
  return isQuota(fields.quotaBytes) ? null : 'the quota is no number of bytes'
}

const isQuota = (bytes: number | null): boolean =>
  bytes === null || (Number.isSafeInteger(bytes) && bytes >= 0)

/** Returns the reason why rules cannot be stored; null when they can be stored. */
export function faultOfRules(rules: readonly AccessRule[]): string | null {
  if (rules.length > limits.rules) return 'there are too many rules'
  return rules.some(({ path, regexp }) => byteLength(path) + byteLength(regexp?.raw ?? '') > limits.ruleBytes)
    ? 'a rule is too long'
    : null
}

/** Returns true for a string that SQLite and PostgreSQL store and return unchanged. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

const isPlain = (text: string): boolean => isStorable(text) && !/[\u0000-\u001f\u007f-\u009f]/.test(text)

/** Returns true for a language tag, and for an empty string, which means the browser's language. */
export function isLocale(locale: string): boolean {
  if (locale === '') return true
  return locale.length <= localeLength && /^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$/.test(locale)
}
