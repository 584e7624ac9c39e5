import { isPasswordHash } from '../../auth/passwords.ts'
import { confinedScope } from '../../access/narrow-to-user.ts'
import { rulesOfRecord, uncheckedUserOfRecord } from '../../exchange/user-record.ts'
import type { UserFields } from '../../records/user-store.ts'
import { checkFields, isLocale, nameKey } from '../../records/user-checks.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import type { TakeoverMessage, TakeoverNoteCode } from '../../../shared/domain/takeover/takeover-notes.ts'
import { noteOnUser, type TakeoverNote } from '../../../shared/domain/takeover/takeover-report.ts'
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
            noteOnUser(
              { id: user.id, name: user.username },
              { code: 'user-name-taken', values: { id: String(first) } },
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
  const noteOfUser = (message: TakeoverMessage): TakeoverNote => noteOnUser({ id, name }, message)
  const fault = refusalOfUser(user)
  if (fault !== null) {
    const { refused, reason = fault.code } = fault
    const code = refusedUserCodes[refused ?? ''] ?? 'user-invalid'
    return { user: null, notes: [noteOfUser({ code, values: { reason } })], left: [], formerFolder: null }
  }
  const disabled = noteOfUser({ code: 'account-disabled', values: { id: String(id) } })
  const later = [password.note, commandsNote(user, traits.confinesScopes)].filter((note) => note !== null)
  return {
    user,
    notes: [
      ...(scope.note === null ? [] : [noteOfUser(scope.note)]),
      ...(isDoubtful ? [{ ...disabled, isDisabledAccount: true } as const] : []),
      ...[...later, ...rules.changed].map(noteOfUser),
    ],
    left: rules.left.map(noteOfUser),
    formerFolder: scope.formerFolder,
  }
}

/** The codes of the notes about users who cannot be stored, by the refused value. */
const refusedUserCodes: Readonly<
  Record<string, Extract<TakeoverNoteCode, 'user-name' | 'user-rules' | 'user-invalid'>>
> = { username: 'user-name', rules: 'user-rules' }

/** Returns a note when no user is an administrator who can log in. */
export const administratorNotes = (
  users: readonly Pick<UserFields, 'perm' | 'isDisabled'>[],
): readonly TakeoverMessage[] =>
  users.some(({ perm, isDisabled }) => perm.admin && !isDisabled)
    ? []
    : [{ code: 'no-administrator', values: {} }]

/** Returns the hash to store for a stored hash, and a note when it is weak or of no known kind. */
export function planPassword(hash: string): { readonly hash: string; readonly note: TakeoverMessage | null } {
  if (!isPasswordHash(hash)) return { hash: noPassword, note: { code: 'password-unknown', values: {} } }
  const cost = Number(/^\$2[aby]\$(\d\d)/.exec(hash)?.[1] ?? usualCost)
  return { hash, note: cost < usualCost ? { code: 'password-weak', values: { cost: String(cost) } } : null }
}

/** Old versions read the entries of the list of commands as patterns. Here an entry is the exact name of a program. */
function commandsNote({ commands }: UserFields, areNames: boolean): TakeoverMessage | null {
  const patterns = areNames ? [] : commands.filter((command) => /[\\^$.*+?()[\]{}|]/.test(command))
  return patterns.length === 0 ? null : { code: 'command-patterns', values: { commands: patterns } }
}

/** Returns the reason why a user cannot be stored; null when the user can be stored. */
export function faultOfUser(user: UserFields): string | null {
  const refusal = refusalOfUser(user)
  return refusal === null ? null : (refusal.reason ?? refusal.code)
}

/** Returns the error with which a user is refused; null when the user can be stored. */
function refusalOfUser(user: UserFields): AppError | null {
  try {
    checkFields(user)
    return null
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown
    throw thrown
  }
}
