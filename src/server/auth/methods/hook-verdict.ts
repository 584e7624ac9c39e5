import { permissions, withAdminImplied, type Permissions } from '../../../shared/domain/access.ts'
import type { SortKey } from '../../../shared/domain/sorting.ts'
import type { ViewMode } from '../../../shared/contract/users.ts'
import type { UserFields } from '../../records/port.ts'

/**
 * What a login program printed, by key: lines of `key=value`, split at the first `=`. What is no such line says nothing. Null where a key
 * is given twice: then nobody knows what is meant.
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

/** Only `true` is true. */
const isTrue = (text: string): boolean => text === 'true'

type Reader = (text: string, before: UserFields) => Partial<UserFields>

const readers: Readonly<Record<string, Reader>> = {
  'user.scope': (scope) => ({ scope }),
  'user.locale': (locale) => ({ locale }),
  // What is no view or order is refused where it would be stored.
  'user.viewMode': (text) => ({ viewMode: text as ViewMode }),
  'user.singleClick': (text) => ({ singleClick: isTrue(text) }),
  'user.redirectAfterCopyMove': (text) => ({ redirectAfterCopyMove: isTrue(text) }),
  'user.sorting.by': (text, { sorting }) => ({ sorting: { ...sorting, by: text as SortKey | '' } }),
  'user.sorting.asc': (text, { sorting }) => ({ sorting: { ...sorting, asc: isTrue(text) } }),
  'user.commands': (text) => ({ commands: text.split(' ').filter((word) => word !== '') }),
  'user.hideDotfiles': (text) => ({ hideDotfiles: isTrue(text) }),
}

/** The fields that a login program names, over those of before; what it does not name is left out (contract 2.7). */
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
  // Who may not download may not share either (contract 1.6), and there is nobody here to be told.
  return { ...said, perm: { ...implied, share: implied.share && implied.download } }
}
