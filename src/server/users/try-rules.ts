import type { RuleCheck } from '../../shared/contract/users.ts'
import { limits } from '../../shared/domain/limits.ts'
import { byteLength } from '../../shared/domain/name-bytes.ts'
import { childOf, parentOf, type Path } from '../../shared/domain/path.ts'
import type { AccessRule } from '../../shared/domain/access.ts'
import { confinedScope, narrowToUser } from '../access/narrow-to-user.ts'
import { regexSize } from '../access/regex-size.ts'
import {
  compileRuleFinder,
  faultOfRegex,
  yieldToEventLoop,
  type DecidingRule,
  type RegexFault,
} from '../access/rules.ts'
import { entriesOf, isFolderEntry, statUnlessHidden } from './existing-entries.ts'
import { decideForEverybody } from './rules-for-everybody.ts'
import { findUnmatchedRules } from './unmatched-rules.ts'
import type { UserDependencies } from './user-dependencies.ts'

/** The maximum number of entries in an answer. More would not fit beside the rules on screen. */
const mostEntries = 100

/** Rules to try on a path in a folder of the volume. */
export type RuleTrial = {
  readonly rules: readonly AccessRule[]
  /** The folder of the user, as it is stored. */
  readonly scope: string
  readonly path: Path
  /** True for rules for all users, which are tried in the folder of each user. */
  readonly isForEverybody: boolean
  readonly signal: AbortSignal
}

/**
 * Tries a list of rules on a path and on the entries of its folder. The rules are compiled by the code that enforces
 * stored rules (decision 77).
 */
export async function tryRules(
  { volume, users }: Pick<UserDependencies, 'volume' | 'users'>,
  { rules, scope: storedScope, path, isForEverybody, signal }: RuleTrial,
): Promise<RuleCheck> {
  const faults = await faultsOf(rules, signal)
  const broken = new Set(faults.map(({ rule }) => rule))
  const usable = rules.map((rule, index) => (broken.has(index) ? brokenRule : rule))
  const find = await compileRuleFinder(usable, { foldsCase: volume.foldsCase })
  const scope = confinedScope(storedScope)
  const storage = await narrowToUser(volume, { user: { hideDotfiles: false }, scope, permits: null })
  const found = await statUnlessHidden(storage, path, signal)
  const folder = isFolderEntry(found) ? path : parentOf(path)
  const entries: RuleCheck['entries'][number][] = []
  for (const { name, isFolder } of await entriesOf(storage, folder, { mostEntries, signal })) {
    await yieldToEventLoop()
    signal.throwIfAborted()
    const at = childOf(folder, name)
    if (at !== null) entries.push({ name, isFolder, ...verdictOf(find(at)) })
  }
  const people = isForEverybody ? (await users.list()).filter(({ isDisabled }) => !isDisabled) : []
  const scopes = isForEverybody ? people.map((user) => user.scope) : [storedScope]
  const everybody = await decideForEverybody(volume, { people, find, path, signal })
  return {
    faults,
    ...verdictOf(find(path)),
    isFound: found !== null,
    isFolder: isFolderEntry(found),
    entries,
    unmatched: await findUnmatchedRules(volume, { rules: usable, scopes, signal }),
    ...everybody,
  }
}

/** A rule that matches nothing. It takes the place of a rule that cannot be stored, so that the positions stay. */
const brokenRule: AccessRule = { regex: true, allow: true, path: '', regexp: null }

/** The number of lists that are tried together: the rules of everyone, and those of a user. */
const triedLists = 2

/**
 * Returns the rules that cannot be stored. The rules of everyone and of a user are tried together, so
 * an expression counts as too large when it and those before it are larger than the expressions of two lists may be.
 */
async function faultsOf(rules: readonly AccessRule[], signal: AbortSignal): Promise<RuleCheck['faults']> {
  const faults: RuleCheck['faults'][number][] = []
  let steps = 0
  for (const [index, rule] of rules.entries()) {
    const text = rule.regex ? (rule.regexp?.raw ?? '') : rule.path
    const kind = byteLength(text) > limits.ruleBytes ? 'too-long' : rule.regex ? await regexFault(text) : null
    if (kind !== null) faults.push({ rule: index, kind })
  }
  return faults

  async function regexFault(text: string): Promise<RegexFault | null> {
    await yieldToEventLoop()
    signal.throwIfAborted()
    const size = regexSize(text)
    if (steps + size > triedLists * limits.rulesSteps) return 'too-large'
    const fault = await faultOfRegex(text)
    if (fault === null) steps += size
    return fault
  }
}

const verdictOf = (found: DecidingRule | null): Pick<RuleCheck, 'isAllowed' | 'rule'> => ({
  isAllowed: found?.allow ?? true,
  rule: found?.index ?? null,
})
