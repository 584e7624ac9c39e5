import {
  userFieldNames,
  userFields,
  viewModes,
  type UserFieldName,
  type UserValueTypes,
  type ViewMode,
} from '../../shared/contract/fields/user-fields.ts'
import {
  permissions,
  withAdminImplied,
  type Permissions,
  type AccessRule,
} from '../../shared/domain/access.ts'
import { AppError, type RefusedValue } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import { byteLength, isText } from '../../shared/domain/name-bytes.ts'
import type { SortPreference } from '../../shared/domain/sorting.ts'
import { faultOfRegexes } from '../access/rules.ts'
import type { UserFields } from '../records/user-store.ts'

/** A field that a request may contain, except the password, which is checked and hashed separately. */
export type RequestField = AccountField | UserFieldName

/** The fields of a request that are columns of the account, and not entries of `userFields`. */
const accountReaders = { username: readUsername, isDisabled: readDisabled } as const
type AccountField = keyof typeof accountReaders

/** Returns true for a field that is not an entry of `userFields`. */
export const isAccountField = (name: string): name is AccountField => Object.hasOwn(accountReaders, name)

export const requestFields: readonly RequestField[] = ['username', 'isDisabled', ...userFieldNames]

export type RequestMembers = Readonly<Record<string, unknown>>

type FieldReaders = {
  readonly [K in keyof UserValueTypes]: (
    value: unknown,
    isExecOn: boolean,
  ) => UserValueTypes[K] | Promise<UserValueTypes[K]>
}

/**
 * The readers for each kind of field. A reader checks the type and the value, and returns the zero value for an absent
 * value.
 */
const readers: FieldReaders = {
  switch: readSwitch,
  text: readShortText,
  words: readWords,
  rules: readRules,
  scope: readText,
  language: readLanguage,
  viewMode: readViewMode,
  permissions: readPermissions,
  sorting: readSorting,
  quota: readQuota,
}

type FieldReadOptions = {
  readonly names: readonly RequestField[]
  /** True when this server may run commands. Only in that case does the permission `admin` imply `execute`. */
  readonly isExecOn: boolean
}

/**
 * Reads the given fields from a request. Throws `bad-request` with the reason for the first value that cannot be
 * stored.
 */
export async function readFields(
  sent: RequestMembers,
  { names, isExecOn }: FieldReadOptions,
): Promise<Partial<Pick<UserFields, RequestField>>> {
  const entries: (readonly [string, unknown])[] = []
  for (const name of names) {
    const value = isAccountField(name)
      ? accountReaders[name](sent[name])
      : await readers[userFields[name].kind](sent[name], isExecOn)
    entries.push([name, value])
  }
  return Object.fromEntries(entries)
}

const refuse = (reason: string, refused?: RefusedValue): never => {
  throw new AppError('bad-request', { reason, ...(refused !== undefined && { refused }) })
}

export const isAbsentMember = (value: unknown): value is undefined | null =>
  value === undefined || value === null

function readSwitch(value: unknown): boolean {
  if (isAbsentMember(value)) return false
  return typeof value === 'boolean' ? value : refuse('a switch must be true or false')
}

/**
 * Reads whether an account is disabled. Throws `bad-request` for an absent value: if it meant false, a request without the
 * value would enable the account.
 */
function readDisabled(value: unknown): boolean {
  return isAbsentMember(value) ? refuse('isDisabled must be true or false') : readSwitch(value)
}

/** Reads a quota in bytes. An absent value means that the user has no quota. */
function readQuota(value: unknown): number | null {
  if (isAbsentMember(value)) return null
  const [least, most] = userFields.quotaBytes.range
  const isValid = Number.isInteger(value) && Number(value) >= least && Number(value) <= most
  return isValid ? Number(value) : refuse('a quota must be a whole number of bytes or null')
}

function readText(value: unknown): string {
  if (isAbsentMember(value)) return ''
  const isValid = typeof value === 'string' && value.length <= limits.pathBytes && !value.includes('\0')
  return isValid ? value : refuse('not a text')
}

function readShortText(value: unknown): string {
  const text = readText(value)
  return text.length <= limits.optionCharacters ? text : refuse('a text is too long')
}

/**
 * Reads a list of words. The list as JSON is limited, because the session token of the user contains it, and clients send
 * the token in a header.
 */
function readWords(value: unknown): readonly string[] {
  const words = readList(value).map(readText)
  const isShort = words.length <= limits.listedWords && byteLength(JSON.stringify(words)) <= limits.wordsBytes
  return isShort ? words : refuse('a list is too long')
}

function readList(value: unknown): readonly unknown[] {
  if (isAbsentMember(value)) return []
  return Array.isArray(value) ? value : refuse('not a list')
}

/** Reads an object. An absent value counts as an object without members. */
export function readMembers(value: unknown): RequestMembers {
  if (isAbsentMember(value)) return {}
  const isValid = typeof value === 'object' && !Array.isArray(value)
  return isValid ? (value as RequestMembers) : refuse('not an object')
}

function readUsername(value: unknown): string {
  const name = readText(value)
  const isValid =
    name.trim() !== '' &&
    byteLength(name) <= limits.usernameBytes &&
    isText(name) &&
    !/[\u0000-\u001F\u007F]/.test(name)
  return isValid
    ? name
    : refuse('the user name is empty, too long or contains control characters', 'username')
}

/** Maximum length of a stored language tag, in characters (contract 10.1). */
const maximumLanguageTagLength = 16

/**
 * Reads a language tag. An empty text means the browser's language. A tag for which no translation exists is accepted.
 */
function readLanguage(value: unknown): string {
  const tag = readText(value)
  if (tag === '') return tag
  if (tag.length > maximumLanguageTagLength) return refuse('not a language tag')
  try {
    return Intl.getCanonicalLocales(tag.replaceAll('_', '-')).length === 1
      ? tag
      : refuse('not a language tag')
  } catch {
    return refuse('not a language tag')
  }
}

function readViewMode(value: unknown): ViewMode {
  if (isAbsentMember(value) || value === '') return 'list'
  return viewModes.find((mode) => mode === value) ?? refuse('unknown view mode')
}

function readSorting(value: unknown): SortPreference {
  const { by: sent, asc } = readMembers(value)
  const by = isAbsentMember(sent) ? '' : sent
  if (by === '' || by === 'name' || by === 'size' || by === 'modified')
    return { by: by === '' ? 'name' : by, asc: readSwitch(asc) }
  return refuse('unknown sorting')
}

/**
 * Reads the eight permissions. An administrator gets all permissions. Throws `bad-request` for the permission to share
 * without the permission to download (contract 1.6).
 */
export function readPermissions(value: unknown, isExecOn: boolean): Permissions {
  const members = readMembers(value)
  const perm = Object.fromEntries(permissions.map((name) => [name, readSwitch(members[name])])) as Permissions
  const canOnlyShare = perm.share && !perm.download && !perm.admin
  return canOnlyShare
    ? refuse('sharing needs the permission to download', 'share-without-download')
    : withAdminImplied(perm, isExecOn)
}

/**
 * Reads rules. Throws `bad-request` for an expression that does not compile, a rule that is too long, or too many
 * rules.
 */
export async function readRules(value: unknown): Promise<readonly AccessRule[]> {
  const list = readList(value)
  if (list.length > limits.rules) return refuse('too many rules', 'rules')
  const rules = list.map(readRule)
  const fault = await faultOfRegexes(
    rules.flatMap(({ regex, regexp }) => (regex && regexp ? regexp.raw : [])),
  )
  return fault === null ? rules : refuse(fault, 'rules')
}

function readRule(value: unknown): AccessRule {
  const members = readMembers(value)
  const [regex, allow] = [readSwitch(members['regex']), readSwitch(members['allow'])]
  const path = readText(members['path'])
  const raw = isAbsentMember(members['regexp']) ? null : readText(readMembers(members['regexp'])['raw'])
  if (byteLength(path) > limits.ruleBytes || byteLength(raw ?? '') > limits.ruleBytes)
    return refuse('a rule is too long', 'rules')
  if (regex && raw === null) return refuse('a rule is not a valid regular expression', 'rules')
  const written = regex || path === '' || path.startsWith('/') ? path : `/${path}`
  return { regex, allow, path: written, regexp: raw === null ? null : { raw } }
}
