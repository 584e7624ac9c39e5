import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ShareResource } from '../../shared/contract/shares.ts'
import { runLimited, type KeyedLimiter } from '../concurrency/keyed-limiter.ts'
import type { ResponseMemory } from '../concurrency/reading-memory.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { nameOf, root, type Path } from '../../shared/domain/path.ts'
import type { Actor } from '../access/actor.ts'
import type { ReceivedFileStore } from '../records/received-files.ts'
import type { ShareFilter, StoredShare, ShareStore } from '../records/share-store.ts'
import type { User, UserStore } from '../records/user-store.ts'
import { statOrNull } from '../storage/stat-or-null.ts'
import type { RealPathResolver } from './real-paths.ts'
import type { RunningReceptions } from './running-receptions.ts'
import { findAwaited, isFound, type FindAwaitedDependencies } from './find-awaited.ts'
import { requireSharingPermission, type SharingActor } from './sharing-permission.ts'

export type ListSharesDependencies = DropTotalsDependencies &
  FindAwaitedDependencies & {
    readonly shares: Pick<ShareStore, 'find' | 'digests' | 'listOf' | 'setFound'>
    readonly users: Pick<UserStore, 'list'>
    /** Lets the parts of all lists take turns, one at a time, because each part occupies the main thread for some milliseconds. */
    readonly listTurns: KeyedLimiter
    readonly realPaths: Pick<RealPathResolver, 'ofTarget' | 'ofScoped' | 'inScope'>
    /** Resolves when every change announced so far has been applied to the shares. */
    readonly settled: () => Promise<void>
  }

/** The properties of the reader on which a list of shares depends. */
type ShareListReader = { readonly reading: ResponseMemory; readonly signal: AbortSignal }

/** A list of shares: all of them, or the chunks of their JSON. */
export type ShareList = readonly ShareResource[] | AsyncIterable<string>

/** Lists the actor's own shares, or all shares for an administrator who does not ask for the own ones. */
export async function listVisibleShares(
  dependencies: ListSharesDependencies,
  { user, may }: Pick<Actor, 'user' | 'may'>,
  { onlyOwn, ...reader }: ShareListReader & { readonly onlyOwn: boolean },
): Promise<ShareList> {
  requireSharingPermission({ may })
  await dependencies.settled()
  return listOf(dependencies, may('admin') && !onlyOwn ? {} : { userId: user.id }, reader)
}

/**
 * Lists the actor's own shares of one entry, or all its shares for an administrator. A path that the actor may not
 * access is refused, whether or not it is shared.
 */
export async function listSharesOfEntry(
  dependencies: ListSharesDependencies,
  { storage, user, may }: SharingActor,
  { path, ...reader }: ShareListReader & { readonly path: Path },
): Promise<ShareList> {
  requireSharingPermission({ may })
  await dependencies.settled()
  await statOrNull(storage, path, { signal: reader.signal })
  const at = await dependencies.realPaths.ofScoped(user, path)
  return at === null
    ? []
    : listOf(dependencies, { path: at, userId: may('admin') ? undefined : user.id }, reader)
}

/**
 * The number of links that are read at once. With the longest paths, of 12,000 characters, they take 0.6 MB, and about 15 ms of
 * the main thread.
 */
const batchSize = 50

/**
 * The bytes of a list in memory while its client reads: one batch of shares as records and as JSON, and the digests of ten
 * thousand shares. This is an estimate.
 */
const listBytes = 4 * 1024 * 1024

/** Returns the shares that match a filter. A long list is written batch by batch, because ten thousand links can have 40 MB of paths. */
async function listOf(
  dependencies: ListSharesDependencies,
  filter: ShareFilter,
  { reading, signal }: ShareListReader,
): Promise<ShareList> {
  if (!reading.hold(listBytes)) await reading.wait(listBytes)
  const owners = new Map((await dependencies.users.list()).map((user) => [user.id, user]))
  const { shares, listTurns } = dependencies
  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    runLimited({ limiter: listTurns, key: 'lists', signal }, async () => {
      const result = await work()
      // Without a turn of the event loop, the next part of a list would follow before any other request.
      await nextTurn()
      return result
    })
  const digests = await inTurn(() => shares.digests(filter))
  const withEntry = entryFinder(dependencies, signal)
  const batchAt = async (start: number): Promise<readonly ShareResource[]> => {
    const found = await inTurn(() => shares.listOf(digests.slice(start, start + batchSize)))
    // This may wait for the disk of an owner, for which the lists of others do not wait.
    return resourcesOf(dependencies, found, { owners, withEntry })
  }
  if (digests.length <= batchSize) return batchAt(0)
  async function* batches(): AsyncGenerator<readonly ShareResource[]> {
    for (let start = 0; start < digests.length; start += batchSize) yield await batchAt(start)
  }
  return jsonArray(batches())
}

/** Writes batches as one JSON array. A batch may be empty, because a link that has ended meanwhile is not listed. */
async function* jsonArray(batches: AsyncIterable<readonly ShareResource[]>): AsyncGenerator<string> {
  let opening = '['
  for await (const batch of batches) {
    if (batch.length === 0) continue
    yield opening + batch.map((resource) => JSON.stringify(resource)).join(',')
    opening = ','
  }
  yield opening === '[' ? '[]' : ']'
}

/** Returns a share with its entry when it waited for it and it is there now, and otherwise the share as it is. */
type EntryFinder = (share: StoredShare, owner: User) => Promise<StoredShare>

/**
 * Creates a function that looks for the entries of the awaited shares in a list. It looks for none after a failure of the storage or
 * the database, because on a disk that hangs each of them would take half a minute. Shares for which it does not look are listed
 * as awaited.
 */
function entryFinder(dependencies: FindAwaitedDependencies, signal: AbortSignal): EntryFinder {
  let hasFailed = false
  return async (share, owner) => {
    if (hasFailed || isFound(share)) return share
    try {
      return (await findAwaited(dependencies, share, owner, { signal })) ?? share
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      hasFailed = true
      return share
    }
  }
}

async function resourcesOf(
  dependencies: ListSharesDependencies,
  found: readonly StoredShare[],
  { owners, withEntry }: { readonly owners: ReadonlyMap<number, User>; readonly withEntry: EntryFinder },
): Promise<ShareResource[]> {
  const resources: ShareResource[] = []
  for (const share of found) {
    const owner = owners.get(share.userId)
    if (owner !== undefined)
      resources.push(await shareResource(dependencies, await withEntry(share, owner), owner))
  }
  return resources
}

/** The dependencies for the totals of upload-only shares. */
export type DropTotalsDependencies = {
  readonly receivedFiles: Pick<ReceivedFileStore, 'totals'>
  readonly runningReceptions: Pick<RunningReceptions, 'list'>
}

/** The dependencies of `shareResource`. */
export type ShareResourceDependencies = DropTotalsDependencies & {
  readonly realPaths: Pick<RealPathResolver, 'inScope'>
}

/**
 * Returns the description of a share in the API. Its path is relative to the owner's scope, or only the entry's name
 * when the entry is no longer in that scope.
 */
export async function shareResource(
  dependencies: ShareResourceDependencies,
  share: StoredShare,
  owner: Pick<User, 'scope'>,
): Promise<ShareResource> {
  const path = (await dependencies.realPaths.inScope(owner, share.path)) ?? `/${nameOf(share.path)}`
  return {
    hash: share.hash,
    path: share.kind === 'folder' && path !== root ? `${path}/` : path,
    userID: share.userId,
    expire: share.expiresAtSeconds ?? 0,
    availableFrom: share.availableFromSeconds ?? 0,
    hasPassword: share.passwordHash !== null,
    mode: share.mode,
    ...(!isFound(share) && { isAwaited: true as const }),
    ...(share.senderName !== '' && { senderName: share.senderName }),
    // Old clients get the fields that they know, because shares that they create have none of these.
    ...(share.alias !== '' && { alias: share.alias }),
    ...(share.maxDownloads !== null && { maxDownloads: share.maxDownloads }),
    ...(share.visits > 0 && { visits: share.visits }),
    ...(share.downloads > 0 && { downloads: share.downloads }),
    ...(share.mode === 'upload-only' && { drop: await dropOf(dependencies, share) }),
  }
}

/** Returns the limits of an upload-only share and the totals of what has arrived. */
async function dropOf(
  { receivedFiles, runningReceptions }: DropTotalsDependencies,
  { hash, maxFiles, maxBytes, tellsOfFiles, seenFiles }: StoredShare,
): Promise<NonNullable<ShareResource['drop']>> {
  const { files, bytes } = await receivedFiles.totals(hash)
  return {
    maxFiles: maxFiles ?? 0,
    maxBytes: maxBytes ?? 0,
    receivedFiles: files,
    receivedBytes: bytes,
    runningFiles: runningReceptions.list(hash).length,
    ...(tellsOfFiles && { newFiles: Math.max(0, files - seenFiles) }),
  }
}
