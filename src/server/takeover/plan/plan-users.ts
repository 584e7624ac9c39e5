import { isPasswordHash } from '../../auth/passwords.ts'
import { confinedScope } from '../../access/narrow-to-user.ts'
import { rulesOfRecord, uncheckedUserOfRecord } from '../../exchange/user-record.ts'
import type { UserFields } from '../../records/port.ts'
import { checkFields, isLocale, nameKey } from '../../records/user-checks.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import type { TakeoverNote } from '../../../shared/domain/takeover-report.ts'
import type { OriginalState, OriginalUser } from '../original/read-original.ts'
import { mayHaveHiddenBelowRoot } from './hidden-below-root.ts'
import { denyAll, planRules, type RulesPlan } from './plan-rules.ts'
import { planScope } from './plan-scope.ts'
import type { ServedFolder } from './served-folder.ts'

export type PlannedUser = UserFields & { readonly id: number }

export type UsersPlan = {
  readonly users: readonly PlannedUser[]
  readonly changed: readonly TakeoverNote[]
  readonly left: readonly TakeoverNote[]
  /** The former folders of the users, by id, whose scope is another folder now. */
  readonly formerFolders: ReadonlyMap<number, string>
}

export type UsersPlanOptions = {
  readonly folder: ServedFolder
  /** The plan of the rules that apply to everybody. If it denies everything, no own rule may allow anything. */
  readonly globalRules: Pick<RulesPlan, 'deniesAll'>
}

/** A text in the place of a password hash that no password matches. */
export const noPassword = '*'
/** The cost of the hashes that File Browser makes. Hashes of a lower cost were made by other programs. */
const usualCost = 10

/** Plans the users. A user who might gain access to more entries than before is disabled. */
export async function planUsers(state: OriginalState, options: UsersPlanOptions): Promise<UsersPlan> {
  const planned: UserPlan[] = []
  // One user is planned at a time, so that the memory for the work on a user is needed once.
  for (const user of state.users) planned.push(await planUser(user, state, options))
  const plans = withoutTakenNames(planned)
  return {
    users: plans.flatMap(({ user }) => (user === null ? [] : [user])),
    changed: plans.flatMap(({ user, notes }) => (user === null ? [] : notes)),
    left: plans.flatMap(({ user, left, notes }) => (user === null ? notes : left)),
    formerFolders: new Map(
      plans.flatMap(({ user, formerFolder }) =>
        user === null || formerFolder === null ? [] : [[user.id, formerFolder]],
      ),
    ),
  }
}

type UserPlan = {
  /** Null for a user who cannot be stored. The notes then say why. */
  readonly user: PlannedUser | null
  readonly notes: readonly TakeoverNote[]
  readonly left: readonly TakeoverNote[]
  readonly formerFolder: string | null
}

/**
 * Leaves out users whose name another user has in other letters (`Ann` and `ann`), which File Browser allowed. The user
 * with the lower id keeps the name.
 */
function withoutTakenNames(plans: readonly UserPlan[]): readonly UserPlan[] {
  const ids = new Map<string, number>()
  return plans.map((plan) => {
    const { user } = plan
    if (user === null) return plan
    const first = ids.get(nameKey(user.username))
    if (first === undefined) ids.set(nameKey(user.username), user.id)
    return first === undefined
      ? plan
      : {
          user: null,
          notes: [
            noteOn(
              user.id,
              user.username,
              `The user is left out, because the user ${first} has this name, in other letters or the same.`,
            ),
          ],
          left: [],
          formerFolder: null,
        }
  })
}

async function planUser(
  { id, record }: OriginalUser,
  { traits, config }: OriginalState,
  { folder, globalRules }: UsersPlanOptions,
): Promise<UserPlan> {
  const written = { ...uncheckedUserOfRecord(record), id }
  const name = written.username
  const scope = planScope(written.scope, folder, traits)
  const at = confinedScope(scope.scope)
  const rules = await planRules(record, {
    traits,
    folder,
    scopes: at === null ? [] : [at],
    owner: '',
  })
  const password = planPassword(written.passwordHash)
  const hasHidden = [...rulesOfRecord(config.members('settings')), ...written.rules].some(
    (rule) => scope.formerFolder !== null && mayHaveHiddenBelowRoot(rule, scope.formerFolder, folder),
  )
  const isDoubtful = (scope.isDoubtful || (scope.containedRoot && hasHidden)) && !written.perm.admin
  const user: PlannedUser = {
    ...written,
    scope: scope.scope,
    locale: isLocale(written.locale) ? written.locale : '',
    passwordHash: password.hash,
    rules: globalRules.deniesAll && rules.rules.length > 0 ? [...rules.rules, denyAll] : rules.rules,
    isDisabled: written.isDisabled || isDoubtful,
  }
  const fault = faultOfUser(user)
  if (fault !== null)
    return {
      user: null,
      notes: [noteOn(id, name, `The user is left out, because ${fault}.`)],
      left: [],
      formerFolder: null,
    }
  const noteOfUser = (text: string): TakeoverNote => noteOn(id, name, text)
  const disabled = `The account is disabled. Look at the folder and the rules, and then run stowage users update ${id} --disabled=false to enable it.`
  const later = [password.note, commandsNote(user, traits.confinesScopes)].filter((note) => note !== null)
  return {
    user,
    notes: [
      ...(scope.note === null ? [] : [noteOfUser(scope.note)]),
      ...(isDoubtful ? [{ ...noteOfUser(disabled), isDisabledAccount: true } as const] : []),
      ...[...later, ...rules.changed].map(noteOfUser),
    ],
    left: rules.left.map(noteOfUser),
    formerFolder: scope.formerFolder,
  }
}

const noteOn = (id: number, name: string, text: string): TakeoverNote => ({ text, user: { id, name } })

/** Returns a note when no user is an administrator who can log in. */
export const administratorNotes = (
  users: readonly Pick<UserFields, 'perm' | 'isDisabled'>[],
): readonly string[] =>
  users.some(({ perm, isDisabled }) => perm.admin && !isDisabled)
    ? []
    : [
        'There is no administrator. Run stowage users update NAME --perm.admin to make a user an administrator.',
      ]

/** Returns the hash to store for a stored hash, and a note when it is weak or of no known kind. */
export function planPassword(hash: string): { readonly hash: string; readonly note: string | null } {
  if (!isPasswordHash(hash))
    return { hash: noPassword, note: 'The password is not a hash of a known kind. Set a new one.' }
  const cost = Number(/^\$2[aby]\$(\d\d)/.exec(hash)?.[1] ?? usualCost)
  const note =
    cost < usualCost ? `The password has a weak hash, of cost ${cost}, until the next login.` : null
  return { hash, note }
}

/** Old versions read the entries of the list of commands as patterns. Here an entry is the exact name of a program. */
function commandsNote({ commands }: UserFields, areNames: boolean): string | null {
  const patterns = areNames ? [] : commands.filter((command) => /[\\^$.*+?()[\]{}|]/.test(command))
  return patterns.length === 0
    ? null
    : `The commands ${patterns.join(', ')} were patterns. They are names of programs now.`
}

/** Returns the reason why a user cannot be stored; null when the user can be stored. */
export function faultOfUser(user: UserFields): string | null {
  try {
    checkFields(user)
    return null
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown.reason ?? thrown.code
    throw thrown
  }
}
