import type { CallerFactory } from '../access/caller-factory.ts'
import type { PreviewModule } from './previews.ts'
import type { ArchivePacker } from '../archives/archives.ts'
import { networkOf } from '../auth/network.ts'
import type { PasswordHasher } from '../auth/passwords.ts'
import type { SessionEndNotifier, SessionLookup } from '../auth/session-ends.ts'
import type { SharedCounts } from '../auth/shared-counts.ts'
import { createThrottle, type ThrottleLimits } from '../auth/throttle.ts'
import { createKeyedLimiter } from '../concurrency/keyed-limiter.ts'
import type { Config } from '../config/serving-options.ts'
import type { ChangeAnnouncer } from '../changes/announcer.ts'
import { describeSharedEntry } from '../files/describe-shared-entry.ts'
import type { Route } from '../http/route.ts'
import type { ServerRecords } from '../records/port.ts'
import { createShareUseCounter } from '../shares/count-uses.ts'
import { followChanges } from '../shares/follow-changes.ts'
import { withGuestPasses } from '../shares/guest-passes.ts'
import { createRealPaths } from '../shares/real-paths.ts'
import { createNamesInUse } from '../shares/free-names.ts'
import { createReceptionLimiters } from '../shares/receive-file.ts'
import { endClosedReceptions } from '../shares/end-closed-receptions.ts'
import { createRunningReceptions } from '../shares/running-receptions.ts'
import { shareRoutes, type ShareRouteDependencies } from '../shares/routes.ts'
import { noMountedDisks } from '../storage/local-disk.ts'
import type { Volume } from '../storage/port.ts'
import type { ServerRuntime } from './server-runtime.ts'

/** The dependencies of shares. */
export type ShareModuleDependencies = {
  readonly config: Pick<Config, 'maxUploadSize' | 'permanentShareTokens'>
  readonly runtime: Pick<ServerRuntime, 'nowMs' | 'randomBytes'>
  readonly login: { readonly key: Uint8Array; readonly ends: Pick<SessionEndNotifier, 'watch'> }
  readonly records: ServerRecords
  readonly counts: SharedCounts
  readonly passwords: PasswordHasher
  readonly callerFactory: CallerFactory
  readonly announcer: ChangeAnnouncer
  readonly volume: Pick<Volume, 'realPath' | 'localDisk'>
  readonly onFault: (error: unknown) => void
  readonly archives: ArchivePacker
  readonly previews: Pick<PreviewModule, 'remux' | 'preview' | 'taken'>
}

type ShareModule = {
  readonly routes: readonly Route[]
  /** Looks up the sessions of users and the passes of guests. */
  readonly lookup: SessionLookup
  readonly stop: () => Promise<void>
}

const minuteMs = 60_000
/**
 * Rate limits per client address: 5 wrong passwords for one share per minute, and 60 unknown share hashes per minute
 * (security 3.8). Several servers may each check 5 passwords at the same moment, before they know of each other's failures.
 * The second limit holds the rate over eight minutes then, and never applies to a single server.
 */
const passwordLimits: ThrottleLimits = {
  account: [
    { maxFailures: 5, windowMs: minuteMs },
    { maxFailures: 40, windowMs: 8 * minuteMs },
  ],
  address: [],
}
const hashLimits: ThrottleLimits = { account: [], address: [{ maxFailures: 60, windowMs: minuteMs }] }

/**
 * Deletes expired shares. It reads first, because a change starts the thread that writes, and usually there is nothing to
 * delete.
 */
async function purgeIfNeeded(shares: Pick<ServerRecords['shares'], 'hasExpired' | 'purge'>): Promise<void> {
  if (await shares.hasExpired()) await shares.purge()
}

/**
 * Creates the routes of shares. Starts two background tasks that run until `stop` is called: updating the paths of
 * shares when the shared entries are moved, and removing expired shares every minute. With each search for ended sessions, it
 * ends the files that guests send to shares which no longer accept them.
 */
export async function composeShares(dependencies: ShareModuleDependencies): Promise<ShareModule> {
  const { runtime, login, records, passwords, callerFactory, announcer, volume, onFault } = dependencies
  const { nowMs, randomBytes } = runtime
  const { shares, receivedFiles, users } = records
  const uses = createShareUseCounter({ shares, shareUses: records.shareUses, networkOf, nowMs, onFault })
  const realPaths = createRealPaths({ volume, nowMs })
  const disks = volume.localDisk ?? noMountedDisks
  // A move by another server may lead links elsewhere, too. That server has changed the shares already.
  announcer.observe({ onChange: realPaths.clearCache, onLoss: realPaths.clearCache })
  const changeFollower = followChanges({
    shares,
    realPaths,
    disks,
    subscribe: announcer.subscribe,
    onFault,
  })
  const purgeTimer = setInterval(() => void purgeIfNeeded(shares).catch(onFault), minuteMs).unref()
  const dropping = droppingParts(dependencies)
  const endClosed = async (): Promise<void> =>
    endClosedReceptions({
      ...records,
      runningReceptions: dropping.runningReceptions,
      disks,
      nowMs,
    }).catch(onFault)
  // The passes of guests are watched by the HTTP server, under whose requests the receptions run.
  login.ends.watch({ running: () => [], ended: () => {}, endWithoutRights: endClosed })
  const routes = shareRoutes({
    key: login.key,
    nowMs,
    permanentTokens: dependencies.config.permanentShareTokens,
    randomBytes,
    describeEntry: describeSharedEntry,
    ...sendingParts(dependencies),
    shares,
    receivedFiles,
    uses,
    users,
    realPaths,
    ...dropping,
    disks,
    listTurns: createKeyedLimiter({ maxConcurrent: 1 }),
    settled: changeFollower.settled,
    storageOf: (user) => callerFactory.storageOf(user),
    hashPassword: (password) => passwords.hash(password),
    verifyPassword: (password, hash) => passwords.verify(password, hash),
    ...throttlesOf(dependencies),
  })
  return {
    routes,
    lookup: withGuestPasses(records.sessions, users),
    async stop() {
      clearInterval(purgeTimer)
      changeFollower.stop()
      await changeFollower.settled()
      await uses.settled()
    },
  }
}

/** The throttles of guests, and of users who choose aliases. */
const throttlesOf = ({
  counts,
  runtime: { nowMs },
}: ShareModuleDependencies): Pick<ShareRouteDependencies, 'throttlePasswords' | 'throttleHashes'> => ({
  throttlePasswords: createThrottle({ counts, nowMs, limits: passwordLimits, keyPrefix: 'share-' }),
  throttleHashes: createThrottle({ counts, nowMs, limits: hashLimits, keyPrefix: 'hash-' }),
})

/** The parts that send folders and media files to guests. */
const sendingParts = ({
  archives,
  previews,
}: ShareModuleDependencies): Pick<
  ShareRouteDependencies,
  'sendRemuxed' | 'sendPreview' | 'sendTaken' | 'sendFolder'
> => ({
  sendPreview: ({ address, query, ...call }) =>
    previews.preview({
      ...call,
      query: { ...query, inline: 'true' },
      principal: `guest ${networkOf(address)}`,
      isGuest: true,
    }),
  sendTaken: ({ address, ...request }) =>
    previews.taken({ ...request, principal: `guest ${networkOf(address)}`, isGuest: true }),
  sendRemuxed: ({ address, ...request }) =>
    previews.remux({ ...request, principal: `guest ${networkOf(address)}` }),
  sendFolder: async ({ path, name, query, address, ...request }) => ({
    kind: 'download',
    ...(await archives.pack({
      ...request,
      folder: path,
      // The share of a whole scope is named `archive`, so that guests do not learn the real name of the scope's
      // folder.
      rootName: name === '' ? 'archive' : name,
      files: query.files ?? '',
      algo: query.algo ?? '',
      principal: `guest ${networkOf(address)}`,
    })),
  }),
})

/** The parts that receive files from guests. */
const droppingParts = ({
  config,
  callerFactory,
  onFault,
}: ShareModuleDependencies): Pick<
  ShareRouteDependencies,
  | 'namesInUse'
  | 'receptions'
  | 'runningReceptions'
  | 'networkOf'
  | 'maxFileBytes'
  | 'onFault'
  | 'dropStorageOf'
  | 'accessKeyOf'
> => ({
  namesInUse: createNamesInUse(),
  receptions: createReceptionLimiters(),
  runningReceptions: createRunningReceptions(),
  networkOf,
  maxFileBytes: config.maxUploadSize,
  onFault,
  accessKeyOf: (user) => callerFactory.accessKeyOf(user),
  dropStorageOf: ({ address, ...drop }) =>
    callerFactory.dropStorageOf({
      ...drop,
      uploader: `guests of ${networkOf(address)}`,
      cause: { kind: 'call', call: 'public.drop', origin: null, address },
    }),
})
