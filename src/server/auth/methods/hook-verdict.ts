import { permissions, withAdminImplied, type Permissions } from '../../../shared/domain/access.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { limits } from '../../../shared/domain/limits.ts'
import { byteLength } from '../../../shared/domain/name-bytes.ts'
import type { SortKey } from '../../../shared/domain/sorting.ts'
import {
  userField,
  userFieldNames,
  type UserValueTypes,
  type ViewMode,
} from '../../../shared/contract/fields/user-fields.ts'
import type { UserFields } from '../../records/user-store.ts'

/**
 * Parses the output of a login program: lines of `key=value`, split at the first `=`. Lines of another form are
 * ignored. Returns null when a key occurs twice, because the output is then ambiguous.
 */
export function readVerdict(output: string): ReadonlyMap<string, string> | null {
  const verdict = new Map<string, string>()
  for (const line of output.split('\n')) {
    const at = line.indexOf('=')
    const key = line.slice(0, Math.max(at, 0)).trim()
    if (key === '') continue
    if (verdict.has(key)) return null
    verdict.set(key, line.slice(at + 1).trim())
  }
  return verdict
}

const isTrue = (text: string): boolean => text === 'true'

const readText = (text: string): string => text

/** Reads a list of words. It is limited as the list of a request, because the session token of the user contains it. */
function readWords(text: string): readonly string[] {
  const words = text.split(' ').filter((word) => word !== '')
  if (words.length > limits.listedWords || byteLength(JSON.stringify(words)) > limits.wordsBytes)
    throw new AppError('bad-request', { reason: 'a list is too long' })
  return words
}

/**
 * Parsers for the values that a login program prints, by the kind of the user field. The table of readers adds fields
 * of other kinds, which have their own parsers.
 */
const kindReaders: { readonly [K in keyof UserValueTypes]?: (text: string) => UserValueTypes[K] } = {
  switch: isTrue,
  text: readText,
  scope: readText,
  language: readText,
  // An invalid view mode or sort key is refused when it is stored.
  viewMode: (text) => text as ViewMode,
  words: readWords,
}

const readers: Readonly<Record<string, (text: string, before: UserFields) => Partial<UserFields>>> = {
  ...Object.fromEntries(
    userFieldNames.flatMap((name) => {
      const { kind, isSetByLoginProgram } = userField(name)
      const read = isSetByLoginProgram === true ? kindReaders[kind] : undefined
      return read === undefined ? [] : [[`user.${name}`, (text: string) => ({ [name]: read(text) })] as const]
    }),
  ),
  'user.sorting.by': (text, { sorting }) => ({ sorting: { ...sorting, by: text as SortKey | '' } }),
  'user.sorting.asc': (text, { sorting }) => ({ sorting: { ...sorting, asc: isTrue(text) } }),
}

/**
 * Returns the user fields that a login program's output sets. The result has no fields that the output does not name,
 * and permissions and sorting are completed from `before` (contract 2.7).
 */
export function fieldsOfVerdict(
  verdict: ReadonlyMap<string, string>,
  before: UserFields,
  isExecOn: boolean,
): Partial<UserFields> {
  let said: Partial<UserFields> = {}
  for (const [key, read] of Object.entries(readers)) {
    const text = verdict.get(key)
    if (text !== undefined) said = { ...said, ...read(text, { ...before, ...said }) }
  }
  const named = permissions.filter((name) => verdict.has(`user.perm.${name}`))
  if (named.length === 0) return said
  const given = named.map((name) => [name, isTrue(verdict.get(`user.perm.${name}`) ?? '')])
  const perm: Permissions = { ...before.perm, ...Object.fromEntries(given) }
  const implied = withAdminImplied(perm, isExecOn)
  // Sharing requires download (contract 1.6). Without download it is revoked silently, because no administrator is
  // present to read an error.
  return { ...said, perm: { ...implied, share: implied.share && implied.download } }
}
