import {
  noteOnEverybody,
  takeoverNote,
  type TakeoverReport,
} from '../../../shared/domain/takeover/takeover-report.ts'
import type { TakeoverMessage } from '../../../shared/domain/takeover/takeover-notes.ts'
import { confinedScope } from '../../access/narrow-to-user.ts'
import { uncheckedUserOfRecord } from '../../exchange/user-record.ts'
import type { OriginalState } from '../original/read-original.ts'
import { planRules, type RulesPlan } from './plan-rules.ts'
import { planScope } from './plan-scope.ts'
import { planSettings, type SettingsPlan } from './plan-settings.ts'
import { planShares, type SharesPlan } from './plan-shares.ts'
import { administratorNotes, planUsers, type UsersPlan } from './plan-users.ts'
import { presenceOf, type PlannedPresence } from './presence.ts'
import type { ServedFolder } from './served-folder.ts'

/** The records that a takeover stores, and the report about them. */
export type TakeoverPlan = {
  readonly users: UsersPlan['users']
  readonly lastUserId: number
  readonly shares: SharesPlan['shares']
  readonly settings: SettingsPlan['settings']
  readonly signIn: SettingsPlan['signIn']
  readonly server: SettingsPlan['server']
  /** The key that signs tokens; null when a new one is needed. */
  readonly key: Uint8Array | null
  readonly report: TakeoverReport
  readonly presence: PlannedPresence
}

export type TakeoverPlanOptions = { readonly folder: ServedFolder; readonly atMs: number }

/**
 * Plans the takeover of an installation of File Browser: what is stored, and what the administrator is told. The plan
 * never gives anybody access to more entries than before (contract 15.4).
 */
export async function planTakeover(
  state: OriginalState,
  { folder, atMs }: TakeoverPlanOptions,
): Promise<TakeoverPlan> {
  const globalRules = await planGlobalRules(state, folder)
  const settings = planSettings(state, { rules: globalRules, folder })
  const users = await planUsers(state, { folder, globalRules })
  const shares = planShares(state.shares, { ...users, folder, atMs })
  return {
    users: users.users,
    lastUserId: state.lastUserId,
    shares: shares.shares,
    settings: settings.settings,
    signIn: settings.signIn,
    server: settings.server,
    key: state.key,
    presence: presenceOf({ users: users.users, shares: shares.shares }, folder),
    report: {
      kept: keptNotes({ users, shares, settings, key: state.key }).map(takeoverNote),
      changed: [
        ...settings.changed,
        ...globalRules.changed.map(noteOnEverybody),
        ...accountNotes(users, settings).map(takeoverNote),
        ...users.changed,
        ...shares.changed,
      ],
      left: [
        ...damagedKeyNotes(state).map(takeoverNote),
        ...globalRules.left.map(noteOnEverybody),
        ...users.left,
        ...shares.left,
      ],
    },
  }
}

/** Plans the rules for everybody, which apply within the scope of each user. */
async function planGlobalRules(state: OriginalState, folder: ServedFolder): Promise<RulesPlan> {
  const scopes = state.users.map(({ record }) => {
    const { scope } = planScope(uncheckedUserOfRecord(record).scope, folder, state.traits)
    return confinedScope(scope)
  })
  return planRules(state.config.members('settings'), {
    traits: state.traits,
    folder,
    scopes: [...new Set(scopes)].filter((scope) => scope !== null),
  })
}

type PlanParts = {
  readonly users: UsersPlan
  readonly shares: SharesPlan
  readonly settings: SettingsPlan
  readonly key: Uint8Array | null
}

const keptNotes = ({ users, shares, settings, key }: PlanParts): readonly TakeoverMessage[] => [
  { code: 'users-kept', values: { count: users.users.length } },
  { code: 'shares-kept', values: { count: shares.shares.filter(({ kind }) => kind !== 'awaited').length } },
  ...settings.kept,
  ...(key === null ? [] : [{ code: 'key-kept', values: {} } as const]),
]

const damagedKeyNotes = ({ key }: OriginalState): readonly TakeoverMessage[] =>
  key === null ? [{ code: 'key-damaged', values: {} }] : []

const accountNotes = (
  { users }: UsersPlan,
  { settings: { authMethod } }: SettingsPlan,
): readonly TakeoverMessage[] => [
  ...administratorNotes(users),
  ...(authMethod === 'noauth' && !users.some(({ id }) => id === 1)
    ? [{ code: 'no-login-user', values: {} } as const]
    : []),
]
