import type { ConcernKind, Overview } from '../../shared/contract/overview.ts'
import type { Settings } from '../../shared/contract/setting-fields.ts'
import { root, type Path } from '../../shared/domain/path.ts'
import { confinedScope } from '../access/narrow-to-user.ts'
import type { ServerRecords } from '../records/port.ts'
import type { User } from '../records/user-store.ts'
import { isMissing } from '../storage/stat-or-null.ts'
import type { Volume } from '../storage/port.ts'

export type OverviewDependencies = {
  readonly version: string
  readonly records: {
    readonly users: Pick<ServerRecords['users'], 'list'>
    readonly shares: Pick<ServerRecords['shares'], 'count'>
    readonly sessions: Pick<ServerRecords['sessions'], 'count'>
    readonly settings: Pick<ServerRecords['settings'], 'get'>
    readonly scopeUsages: Pick<ServerRecords['scopeUsages'], 'list' | 'read'>
  }
  readonly volume: Pick<Volume, 'usage' | 'stat'>
  /** Returns what is known about vulnerabilities, without a request. */
  readonly advisories: () => Promise<Overview['advisories']>
  readonly nowMs: () => number
}

/** The part of a disk or of a quota that is in use, from which on an administrator should act. */
const fullPart = 0.9

/** The length of passwords in characters below which they can be guessed. NIST SP 800-63B asks for at least eight. */
const leastPasswordLength = 8

/** The maximum number of users who are named. The list of users names all of them. */
const mostNames = 5

/** The maximum number of folders of users whose existence is checked for one page. Each costs one system call. */
const mostFolders = 200

/**
 * Describes the state of the server from what is known without reading folders: the records, the space of the disk, for each
 * folder of a user whether it exists, and the last list of advisories.
 */
export async function describeServer(
  { version, records, volume, advisories: readAdvisories, nowMs }: OverviewDependencies,
  signal: AbortSignal,
): Promise<Overview> {
  const [users, links, sessions, settings, advisories, disk] = await Promise.all([
    records.users.list(),
    records.shares.count(),
    records.sessions.count(),
    records.settings.get(),
    readAdvisories(),
    volume.usage(root, { signal }).catch(() => null),
  ])
  const enabled = users.filter(({ isDisabled }) => !isDisabled)
  const isDiskFull = disk !== null && disk.totalBytes > 0 && disk.usedBytes >= fullPart * disk.totalBytes
  const concerns = [
    advisories !== null && advisories.found.length > 0 && concern('known-vulnerability'),
    advisories?.isUnread === true && concern('advisories-unread'),
    isDiskFull && concern('disk-full'),
    ofUsers('missing-folder', disk === null ? [] : await withoutFolder(volume, enabled)),
    ofUsers('quota-full', await withFullQuota(records.scopeUsages, enabled)),
    ofUsers('whole-server', enabled.filter(seesWholeServer)),
    ...concernsOfSettings(settings),
  ]
  return {
    version,
    started: new Date(nowMs() - process.uptime() * 1000).toISOString(),
    disk: disk === null ? null : { total: disk.totalBytes, used: disk.usedBytes },
    users: users.length,
    links,
    sessions,
    advisories,
    concerns: concerns.filter((one) => one !== false),
  }
}

type Concern = Overview['concerns'][number]

const concern = (kind: ConcernKind): Concern => ({ kind, users: [], otherUsers: 0 })

/** Returns a concern about users, or false when it is about none. */
const ofUsers = (kind: ConcernKind, users: readonly User[]): Concern | false =>
  users.length > 0 && {
    kind,
    users: users.slice(0, mostNames).map(({ id, username }) => ({ id, username })),
    otherUsers: Math.max(0, users.length - mostNames),
  }

const concernsOfSettings = ({
  signup,
  minimumPasswordLength,
  auditDays,
}: Settings): readonly (Concern | false)[] => [
  signup && concern('open-signup'),
  minimumPasswordLength < leastPasswordLength && concern('short-passwords'),
  auditDays === 0 && concern('no-audit-log'),
]

/** Returns true for a user whose folder is the whole served folder, except for administrators, who can give it to themselves. */
const seesWholeServer = ({ scope, perm }: User): boolean => !perm.admin && confinedScope(scope) === root

/** Returns the users whose folder certainly does not exist. A folder that cannot be inspected counts as existing. */
async function withoutFolder(
  volume: OverviewDependencies['volume'],
  users: readonly User[],
): Promise<readonly User[]> {
  const scopes = new Set(users.map(({ scope }) => confinedScope(scope)).filter((scope) => scope !== null))
  const missing = new Set<Path | null>([null])
  for (const scope of [...scopes].slice(0, mostFolders))
    if (await isMissing(volume, scope)) missing.add(scope)
  return users.filter(({ scope }) => missing.has(confinedScope(scope)))
}

/** Returns the users whose quota is nearly used up, as far as the usage of their folder is known. Folders are not measured for it. */
async function withFullQuota(
  usages: OverviewDependencies['records']['scopeUsages'],
  users: readonly User[],
): Promise<readonly User[]> {
  const limited = users.filter(({ quotaBytes }) => quotaBytes !== null)
  if (limited.length === 0) return []
  const scopes = new Set<Path | null>(limited.map(({ scope }) => confinedScope(scope)))
  const keys = (await usages.list()).filter(({ scope }) => scopes.has(scope)).map(({ key }) => key)
  const known = (await usages.read(keys)).filter(({ scanned }) => scanned > 0)
  const bytes = new Map<Path | null, number>(known.map((usage) => [usage.scope, usage.bytes]))
  return limited.filter(
    ({ scope, quotaBytes }) =>
      (bytes.get(confinedScope(scope)) ?? 0) >= fullPart * (quotaBytes ?? Number.POSITIVE_INFINITY) &&
      bytes.has(confinedScope(scope)),
  )
}
