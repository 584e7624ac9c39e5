import type { RuleCheck } from '../../shared/contract/users.ts'
import type { Path } from '../../shared/domain/path.ts'
import { confinedScope, narrowToUser } from '../access/narrow-to-user.ts'
import { compileRuleFinder, yieldToEventLoop, type DecidingRule } from '../access/rules.ts'
import type { User } from '../records/user-store.ts'
import type { Volume } from '../storage/port.ts'
import { statUnlessHidden } from './existing-entries.ts'

/** The maximum number of users in an answer. More would not fit below the rules on screen. */
const mostPeople = 100

/** The maximum number of expressions of users that one request compiles, which takes about a second. */
const mostExpressions = 500

type EverybodyQuestion = {
  /** The users who may log in. */
  readonly people: readonly User[]
  /** Returns the rule for all users that decides about a path. */
  readonly find: (path: Path) => DecidingRule | null
  readonly path: Path
  readonly signal: AbortSignal
}

/**
 * Returns what rules for all users, and the rules of each user after them, decide about the same path inside the folder of
 * each user. Preferences of users, such as hidden dotfiles, are no rules.
 */
export async function decideForEverybody(
  volume: Pick<Volume, 'narrow' | 'foldsCase'>,
  { people, find, path, signal }: EverybodyQuestion,
): Promise<Pick<RuleCheck, 'people' | 'otherPeople'>> {
  const answered: RuleCheck['people'][number][] = []
  const scopes: { readonly scope: string; readonly isFound: boolean }[] = []
  let expressions = 0
  for (const user of people) {
    expressions += user.rules.filter(({ regex }) => regex).length
    if (answered.length === mostPeople || expressions > mostExpressions) break
    await yieldToEventLoop()
    signal.throwIfAborted()
    const findOwn = await compileRuleFinder(user.rules, { foldsCase: volume.foldsCase })
    const own = findOwn(path)
    const decides = own ?? find(path)
    const { scope } = user
    if (!scopes.some((known) => known.scope === scope))
      scopes.push({ scope, isFound: await isIn(volume, { scope, path, signal }) })
    answered.push({
      id: user.id,
      username: user.username,
      isAllowed: decides?.allow ?? true,
      isOwnRule: own !== null,
      rule: decides?.index ?? null,
      isFound: scopes.some((known) => known.scope === scope && known.isFound),
    })
  }
  return { people: answered, otherPeople: people.length - answered.length }
}

/** Returns true when an entry exists at a path inside a scope. */
async function isIn(
  volume: Pick<Volume, 'narrow'>,
  { scope, path, signal }: { readonly scope: string; readonly path: Path; readonly signal: AbortSignal },
): Promise<boolean> {
  const reach = { user: { hideDotfiles: false }, scope: confinedScope(scope), permits: null }
  return (await statUnlessHidden(await narrowToUser(volume, reach), path, signal)) !== null
}
