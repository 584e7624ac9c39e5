import type { AccessRule } from '../../shared/domain/access.ts'
import { codeOf, type ErrorCode } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { User } from '../records/user-store.ts'
import { withPolicies } from '../storage/policy.ts'
import type { Storage, Volume } from '../storage/port.ts'
import { absentStorage } from './absent-storage.ts'
import { confinedScope, isDotfile, narrowToUser } from './narrow-to-user.ts'
import { compileRuleFinder } from './rules.ts'
import { newNamesPolicy } from './new-names-policy.ts'

/**
 * The reason of a decision about one path: a rule of everyone or of the user, with its position in its list, the preference that
 * hides dotfiles, or the fact that no rule matches, which allows the path.
 */
export type PathDecision = {
  readonly path: Path
  readonly isAllowed: boolean
  readonly decidedBy: 'no-rule' | 'global-rule' | 'user-rule' | 'dotfiles'
  readonly rule: number | null
}

export type AccessTrace = {
  /** False when the user's folder does not exist, so that the user can reach nothing. */
  readonly hasScope: boolean
  /** The decisions about single paths, in the order in which the storage asked for them. */
  readonly decisions: readonly PathDecision[]
  /** The error code with which the operation would fail now, or null when it would succeed. */
  readonly failure: ErrorCode | null
}

/** The maximum numbers of allowing and of denying decisions that are kept. An operation on a folder asks for each entry in it. */
const maxDecisions = 50

export type TraceDependencies = {
  readonly volume: Pick<Volume, 'narrow' | 'foldsCase'>
  readonly globalRules: readonly AccessRule[]
}

/**
 * Runs an operation on the storage of a user and records each decision of the rules and of the dotfile preference. The
 * storage is narrowed by the same functions that narrow it for requests of the user, so the decisions are those that a
 * request meets, also for the targets of links and for the entries in a folder. The operation must not change files.
 */
export async function traceAccess(
  { volume, globalRules }: TraceDependencies,
  user: User,
  operation: (storage: Storage) => Promise<unknown>,
): Promise<AccessTrace> {
  const decisions: PathDecision[] = []
  const kept = { allowed: 0, denied: 0 }
  const record = (decision: PathDecision): boolean => {
    const kind = decision.isAllowed ? 'allowed' : 'denied'
    const isKnown = (): boolean =>
      decisions.some(({ path, decidedBy }) => path === decision.path && decidedBy === decision.decidedBy)
    if (kept[kind] < maxDecisions && !isKnown()) {
      kept[kind] += 1
      decisions.push(decision)
    }
    return decision.isAllowed
  }
  const find = await compileRuleFinder([...globalRules, ...user.rules], { foldsCase: volume.foldsCase })
  const storage = await narrowToUser(volume, {
    user,
    scope: confinedScope(user.scope),
    permits: (path) => {
      const found = find(path)
      if (found === null) return record({ path, isAllowed: true, decidedBy: 'no-rule', rule: null })
      const isGlobal = found.index < globalRules.length
      return record({
        path,
        isAllowed: found.allow,
        decidedBy: isGlobal ? 'global-rule' : 'user-rule',
        rule: isGlobal ? found.index : found.index - globalRules.length,
      })
    },
    hides: (path) =>
      isDotfile(path) && !record({ path, isAllowed: false, decidedBy: 'dotfiles', rule: null }),
  })
  const failure = await operation(withPolicies(storage, [newNamesPolicy])).then(() => null, codeOf)
  return { hasScope: storage !== absentStorage, decisions, failure }
}
