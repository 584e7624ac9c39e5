import { countText, takenOver, textOfMessage } from '../../../shared/domain/takeover/takeover-notes.ts'
import { reportOfSentences, type TakeoverReport } from '../../../shared/domain/takeover/takeover-report.ts'
import type { User, UserFields } from '../../records/user-store.ts'
import { nameKey } from '../../records/user-checks.ts'
import { administratorNotes } from '../plan/plan-users.ts'
import type { ServedFolder } from '../plan/served-folder.ts'
import type { FolderMapper } from './folder-mapper.ts'
import { rulesWithoutEffect } from './plan-quantum-rules.ts'
import { planQuantumShare, type PlannedShare, type ShareOwner } from './plan-quantum-shares.ts'
import { planQuantumUser, type QuantumUserPlan } from './plan-quantum-users.ts'
import type { QuantumSource } from './quantum-sources.ts'
import type { QuantumState, QuantumUser } from './read-quantum.ts'

/** The users and shares that an import of FileBrowser Quantum adds, and the report about it. */
export type QuantumPlan = {
  readonly users: readonly UserFields[]
  readonly shares: readonly PlannedShare[]
  readonly report: TakeoverReport
}

export type QuantumPlanOptions = {
  readonly sources: readonly QuantumSource[]
  /** True when the sources come from the configuration file, which is newer than those in the database. */
  readonly areSourcesCurrent: boolean
  readonly folder: ServedFolder
  readonly mapFolder: FolderMapper
  /** The users and the ids of shares that are stored here. They stay as they are. */
  readonly existing: readonly User[]
  readonly takenHashes: ReadonlySet<string>
  readonly atMs: number
}

/** Plans the import of an installation of FileBrowser Quantum (decision 80). */
export async function planQuantum(state: QuantumState, options: QuantumPlanOptions): Promise<QuantumPlan> {
  const { access } = state
  const sources = new Map(options.sources.map((source) => [source.path, source]))
  const planned = planUsers(state.users, { ...options, access, sources })
  const users = planned.flatMap(({ plan }) => ('user' in plan ? [plan.user] : []))
  const shares = await planShares(state, planned, { ...options, sources })
  const added = shares.flatMap(({ plan }) => ('share' in plan ? [plan.share] : []))
  return {
    users,
    shares: added,
    report: reportOfSentences({
      kept: [
        takenOver(users.length, 'user', 'with passwords, permissions, folders and access rules'),
        takenOver(added.length, 'share', 'with addresses, passwords and times'),
      ],
      changed: [
        ...sourceNotes(options, added.length > 0),
        ...planned.flatMap(({ name, plan }) =>
          'user' in plan ? plan.notes.map((note) => `User ${name}: ${note}`) : [],
        ),
        ...shares.flatMap(({ name, plan }) =>
          'share' in plan ? plan.notes.map((note) => `The ${name}: ${note}`) : [],
        ),
        ...administratorNotes([...options.existing, ...users]).map((note) => textOfMessage(note)),
      ],
      left: [
        ...planned.flatMap(({ name, plan }) =>
          'reason' in plan ? [`User ${name}: The user is left out, because ${plan.reason}.`] : [],
        ),
        ...shares.flatMap(({ name, plan }) =>
          'reason' in plan ? [`The ${name} is left out, because ${plan.reason}.`] : [],
        ),
        ...rulesWithoutEffect(access, options.mapFolder, (path) => sources.has(path)),
        ...leftBehind(state),
      ],
    }),
  }
}

type NamedUserPlan = { readonly id: number; readonly name: string; readonly plan: QuantumUserPlan }
type UserPlanOptions = Pick<QuantumPlanOptions, 'existing' | 'folder' | 'mapFolder'> & {
  readonly access: QuantumState['access']
  readonly sources: ReadonlyMap<string, QuantumSource>
}

function planUsers(users: readonly QuantumUser[], options: UserPlanOptions): readonly NamedUserPlan[] {
  const takenNames = new Set(options.existing.map(({ username }) => nameKey(username)))
  return users.map((user) => {
    const plan = planQuantumUser(user, { ...options, takenNames })
    if ('user' in plan) takenNames.add(nameKey(user.username))
    return { id: user.id, name: user.username, plan }
  })
}

async function planShares(
  { shares, access }: QuantumState,
  users: readonly NamedUserPlan[],
  options: Omit<QuantumPlanOptions, 'sources'> & Pick<UserPlanOptions, 'sources'>,
) {
  const owners = new Map(users.map((user) => [user.id, ownerOf(user, options.existing)]))
  const names = new Map(users.map(({ id, name }) => [id, name]))
  return Promise.all(
    shares.map(async (share) => ({
      name: `share ${share.hash} of ${names.get(share.userId) ?? `user ${share.userId}`} for ${share.path}`,
      plan: await planQuantumShare(share, owners.get(share.userId), { ...options, access }),
    })),
  )
}

/** Returns the account of a user in Stowage: the account that the import adds, or the existing account of this name. */
function ownerOf({ name, plan }: NamedUserPlan, existing: readonly User[]): ShareOwner | undefined {
  if ('user' in plan) return { account: plan.user, formerName: name, isHere: false }
  const account = plan.isHere
    ? existing.find(({ username }) => nameKey(username) === nameKey(name))
    : undefined
  return account && { account, formerName: name, isHere: true }
}

const sourceNotes = (
  { sources, areSourcesCurrent, mapFolder }: QuantumPlanOptions,
  hasShares: boolean,
): readonly string[] => [
  ...sources.map(({ name, path }) => {
    const mapped = mapFolder(path, '/')
    if (mapped === null) return `The source ${name}, ${path}, is not below the served folder. See --sources.`
    return mapped.isWhole
      ? `The source ${name}, ${path}, is the folder ${mapped.path} below the served folder.`
      : `The source ${name}, ${path}, contains the served folder. The rest of it is not served.`
  }),
  ...(areSourcesCurrent
    ? []
    : [
        'The settings of the sources are those of the first start of FileBrowser Quantum. If its configuration has changed since, name it with --quantumConfig.',
      ]),
  ...(hasShares ? ['The addresses of links begin with /share/, and no longer with /public/share/.'] : []),
]

function leftBehind({ users, shares, access, loginMethods }: QuantumState): readonly string[] {
  const tokens = users.reduce(
    (sum, { record }) =>
      sum + record.members('tokens').entries().length + record.members('apiKeys').entries().length,
    0,
  )
  const methods = loginMethods.filter((name) => name !== 'password')
  const looks = ['title', 'description', 'banner', 'favicon', 'shareTheme', 'themeColor', 'viewMode']
  const styled = shares.filter(({ record }) =>
    looks.some((name) => record.has(name) && record.text(name) !== ''),
  )
  return [
    ...(tokens > 0
      ? [
          `${countText(tokens, 'API token')} ${tokens === 1 ? 'is' : 'are'} left out, so scripts have to log in again.`,
        ]
      : []),
    ...(methods.length > 0
      ? [
          `The login by ${methods.join(', ')} is left out. Run stowage config set to set up how people log in.`,
        ]
      : []),
    ...(access.groups.size > 0
      ? [
          `${countText(access.groups.size, 'group')} ${access.groups.size === 1 ? 'is' : 'are'} left out. Access rules for groups became rules of each user.`,
        ]
      : []),
    ...(styled.length > 0
      ? [`The title and the look of ${countText(styled.length, 'share')} are left out.`]
      : []),
    'Indexes, previews, themes and the settings of the server are left out.',
  ]
}
