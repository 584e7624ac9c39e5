import { permissions, withAdminImplied, type Permissions, type Rule } from '../../shared/domain/access.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import { byteLength, isText } from '../../shared/domain/name-bytes.ts'
import type { Sorting } from '../../shared/domain/sorting.ts'
import { viewModes, type ViewMode } from '../../shared/contract/users.ts'
import { faultOfRegexes } from '../access/rules.ts'
import type { UserFields } from '../records/port.ts'

/** The fields that a request may name, but for the password, which is judged and hashed on its own. */
export type Field = Exclude<keyof UserFields, 'passwordHash' | 'isDisabled'>

type Readers = {
  readonly [F in Exclude<Field, 'rules'>]: (value: unknown) => Pick<UserFields, F>
} & { readonly rules: (value: unknown) => Promise<Pick<UserFields, 'rules'>> }

const localeLength = 16

/**
 * How each field is taken out of a request: types and values are checked, and the zero value stands for what is absent.
 * A field that is not here cannot be changed.
 */
export const fieldReaders = (isExecOn: boolean): Readers => ({
  username: (value) => ({ username: usernameOf(value) }),
  scope: (value) => ({ scope: textOf(value) }),
  locale: (value) => ({ locale: localeOf(value) }),
  lockPassword: (value) => ({ lockPassword: flagOf(value) }),
  viewMode: (value) => ({ viewMode: viewModeOf(value) }),
  singleClick: (value) => ({ singleClick: flagOf(value) }),
  redirectAfterCopyMove: (value) => ({ redirectAfterCopyMove: flagOf(value) }),
  perm: (value) => ({ perm: withAdminImplied(permOf(value), isExecOn) }),
  commands: (value) => ({ commands: listOf(value).map(textOf) }),
  sorting: (value) => ({ sorting: sortingOf(value) }),
  rules: async (value) => ({ rules: await rulesOf(value) }),
  hideDotfiles: (value) => ({ hideDotfiles: flagOf(value) }),
  dateFormat: (value) => ({ dateFormat: flagOf(value) }),
  aceEditorTheme: (value) => ({ aceEditorTheme: textOf(value) }),
  quotaBytes: (value) => ({ quotaBytes: quotaOf(value) }),
})

const refuse = (reason: string): never => {
  throw new AppError('bad-request', { reason })
}

const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null

function flagOf(value: unknown): boolean {
  if (isAbsent(value)) return false
  return typeof value === 'boolean' ? value : refuse('a switch is true or false')
}

/** Bytes; none is no quota. */
function quotaOf(value: unknown): number | null {
  if (isAbsent(value)) return null
  const isFine = Number.isSafeInteger(value) && Number(value) >= 0
  return isFine ? Number(value) : refuse('a quota is a whole number of bytes, or null')
}

function textOf(value: unknown): string {
  if (isAbsent(value)) return ''
  const isFine = typeof value === 'string' && value.length <= limits.pathBytes && !value.includes('\0')
  return isFine ? value : refuse('not a text')
}

function listOf(value: unknown): readonly unknown[] {
  if (isAbsent(value)) return []
  return Array.isArray(value) ? value : refuse('not a list')
}

export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (isAbsent(value)) return {}
  const isFine = typeof value === 'object' && !Array.isArray(value)
  return isFine ? (value as Readonly<Record<string, unknown>>) : refuse('not an object')
}

function usernameOf(value: unknown): string {
  const name = textOf(value)
  const isFine =
    name.trim() !== '' &&
    byteLength(name) <= limits.usernameBytes &&
    isText(name) &&
    !/[\u0000-\u001F\u007F]/.test(name)
  return isFine ? name : refuse('the user name is empty, too long or holds control characters')
}

/** Empty means the browser's; one without a catalogue is kept. */
function localeOf(value: unknown): string {
  const tag = textOf(value)
  if (tag === '') return tag
  if (tag.length > localeLength) return refuse('not a language tag')
  try {
    return Intl.getCanonicalLocales(tag.replaceAll('_', '-')).length === 1
      ? tag
      : refuse('not a language tag')
  } catch {
    return refuse('not a language tag')
  }
}

function viewModeOf(value: unknown): ViewMode {
  if (isAbsent(value) || value === '') return 'list'
  return viewModes.find((mode) => mode === value) ?? refuse('unknown view mode')
}

function sortingOf(value: unknown): Sorting {
  const { by: sent, asc } = membersOf(value)
  const by = isAbsent(sent) ? '' : sent
  if (by === '' || by === 'name' || by === 'size' || by === 'modified')
    return { by: by === '' ? 'name' : by, asc: flagOf(asc) }
  return refuse('unknown sorting')
}

/** Sharing without downloading cannot be stored (contract 1.6); an administrator has both anyway. */
function permOf(value: unknown): Permissions {
  const members = membersOf(value)
  const perm = Object.fromEntries(permissions.map((name) => [name, flagOf(members[name])])) as Permissions
  const isOdd = perm.share && !perm.download && !perm.admin
  return isOdd ? refuse('sharing needs the permission to download') : perm
}

/** Rules as they are stored; `bad-request` for one that does not compile, is too long, or is one too many. */
export async function rulesOf(value: unknown): Promise<readonly Rule[]> {
  const list = listOf(value)
  if (list.length > limits.rules) return refuse('too many rules')
  const rules = list.map(ruleOf)
  const fault = await faultOfRegexes(
    rules.flatMap(({ regex, regexp }) => (regex && regexp ? regexp.raw : [])),
  )
  return fault === null ? rules : refuse(fault)
}

function ruleOf(value: unknown): Rule {
  const members = membersOf(value)
  const [regex, allow] = [flagOf(members['regex']), flagOf(members['allow'])]
  const path = textOf(members['path'])
  const raw = isAbsent(members['regexp']) ? null : textOf(membersOf(members['regexp'])['raw'])
  if (byteLength(path) > limits.ruleBytes || byteLength(raw ?? '') > limits.ruleBytes)
    return refuse('a rule is too long')
  if (regex && raw === null) return refuse('a rule is no regular expression')
  const written = regex || path === '' || path.startsWith('/') ? path : `/${path}`
  return { regex, allow, path: written, regexp: raw === null ? null : { raw } }
}
