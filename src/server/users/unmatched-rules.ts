import { posix } from 'node:path'
import type { RuleCheck } from '../../shared/contract/users.ts'
import type { AccessRule } from '../../shared/domain/access.ts'
import { pathOf, root, type Path } from '../../shared/domain/path.ts'
import { confinedScope, narrowToUser } from '../access/narrow-to-user.ts'
import { yieldToEventLoop } from '../access/rules.ts'
import type { Storage, Volume } from '../storage/port.ts'
import { isMissing } from '../storage/stat-or-null.ts'
import { similarPathIn } from './similar-path.ts'

/**
 * The maximum numbers of folders of users and of rules that one request looks at, at most 2000 entries. Where there are more
 * folders, nothing is said about any rule, because it may match in one of the others.
 */
const mostScopes = 20
const mostRules = 100

/** The maximum number of rules for which a similar path is looked for. Each of them lists folders. */
const mostSuggestions = 10

type RuleSearch = {
  readonly rules: readonly AccessRule[]
  /** The folders of the users whom the rules concern, as they are stored. */
  readonly scopes: readonly string[]
  readonly signal: AbortSignal
}

/**
 * Returns the rules with a path that no entry has in any of the folders, each with a similar path that exists. Nothing is said
 * about regular expressions, because they may match deep inside of a folder, and the files are not read for an answer.
 */
export async function findUnmatchedRules(
  volume: Pick<Volume, 'narrow'>,
  { rules, scopes, signal }: RuleSearch,
): Promise<RuleCheck['unmatched']> {
  const folders = new Set(scopes.map(confinedScope).filter((folder) => folder !== null))
  if (folders.size === 0 || folders.size > mostScopes) return []
  const storages: Storage[] = []
  for (const scope of folders)
    storages.push(await narrowToUser(volume, { user: { hideDotfiles: false }, scope, permits: null }))
  const folder = folders.size === 1 ? ([...folders][0] ?? null) : null
  const unmatched: RuleCheck['unmatched'][number][] = []
  for (const [index, rule] of rules.slice(0, mostRules).entries()) {
    const path = rule.regex || rule.path === '' ? null : rulePathOf(rule.path)
    if (path === null || path === root) continue
    await yieldToEventLoop()
    signal.throwIfAborted()
    if (await mayBeIn(storages, path)) continue
    const suggestion = unmatched.length < mostSuggestions ? await suggestionIn(storages, path, signal) : null
    unmatched.push({ rule: index, folder, suggestion })
  }
  return unmatched
}

/** Returns the path that a rule names, without the slash that excludes the folder itself. Null when nothing can have the path. */
function rulePathOf(written: string): Path | null {
  const normal = posix.normalize(`/${written}`)
  return normal === '/' ? root : pathOf(normal.replace(/\/$/, ''))
}

/** Returns true unless it is certain that no entry has the path, in either of its Unicode spellings, in any storage. */
async function mayBeIn(storages: readonly Storage[], path: Path): Promise<boolean> {
  const spellings = new Set([path, pathOf(path.normalize('NFC')), pathOf(path.normalize('NFD'))])
  for (const spelling of spellings)
    for (const storage of storages)
      if (spelling !== null && !(await isMissing(storage, spelling))) return true
  return false
}

async function suggestionIn(
  storages: readonly Storage[],
  path: Path,
  signal: AbortSignal,
): Promise<Path | null> {
  for (const storage of storages) {
    signal.throwIfAborted()
    const similar = await similarPathIn(storage, path, signal)
    if (similar !== null) return similar
  }
  return null
}
