import { setTimeout as pause } from 'node:timers/promises'
import { codeOf } from '../../shared/domain/failure.ts'
import { isSameDisk, type MountedDisk } from '../../shared/domain/mounted-disk.ts'
import { joinPaths, parsePath, root, type Path } from '../../shared/domain/path.ts'
import type { StorageChange } from '../changes/change.ts'
import { type ShareStore, placesWithin } from '../records/share-store.ts'
import { correctSharedPlaces, type RealPathResolver, type SharedPlacesDependencies } from './real-paths.ts'

export type ShareFollowerDependencies = SharedPlacesDependencies & {
  readonly shares: Pick<
    ShareStore,
    'followMove' | 'endWithin' | 'endReplaced' | 'hasWithin' | 'sharedPlaces' | 'correctPlace'
  >
  readonly realPaths: Pick<RealPathResolver, 'of' | 'clearCache'>
  readonly subscribe: (listener: (change: StorageChange) => Promise<void>) => () => void
  readonly onFault: (error: unknown) => void
}

export type ShareFollower = {
  /** Resolves when every change announced so far has been applied to the shares. */
  readonly settled: () => Promise<void>
  readonly stop: () => void
}

/**
 * Updates the shares when entries change: a share moves with its entry, also when a parent folder is moved, and ends
 * when its entry is removed (T27). A share whose disk is missing waits for the disk instead, because the change was made
 * to another entry, which lies on the empty mount point (decision 125).
 */
export function followChanges(dependencies: ShareFollowerDependencies): ShareFollower {
  const { subscribe, onFault } = dependencies
  let latest = correctSharedPlaces(dependencies).catch(onFault)
  const stop = subscribe((change) => {
    // The real paths are looked up immediately, because the next change may affect the links in these paths.
    const places = changedPlacesOf(dependencies, change)
    // The lookup may fail long before it is awaited, which is when its failure is reported. Without this handler the
    // failure would be an unhandled rejection.
    places.catch(() => undefined)
    latest = latest.then(async () => follow(dependencies, change, await places)).catch(onFault)
    return latest
  })
  return { settled: () => latest, stop }
}

/** The real paths of a change, and the missing disks of the shares there. */
type ChangedPlaces = {
  readonly at: Path | null
  readonly to: Path | null
  readonly waiting: readonly MountedDisk[]
}

const noPlaces: ChangedPlaces = { at: null, to: null, waiting: [] }

/** Returns the places of a change. Both paths are null when the change cannot affect any share. */
async function changedPlacesOf(
  { shares, realPaths, disks }: ShareFollowerDependencies,
  change: StorageChange,
): Promise<ChangedPlaces> {
  if (change.kind === 'written') return noPlaces
  if (change.kind === 'moved' || change.kind === 'removed') realPaths.clearCache()
  if (!(await shares.hasWithin(root))) return noPlaces
  const realPathOf = async (path: Path | undefined): Promise<Path | null> => {
    const at = path === undefined ? null : joinPaths(change.scope, path)
    return at === null ? null : realPaths.of(at)
  }
  const at = await realPathOf(change.path)
  const to = await realPathOf(change.to)
  const waiting: MountedDisk[] = []
  for (const changed of [at, to]) {
    if (changed === null || !(await shares.hasWithin(changed))) continue
    for await (const { path: encoded, disk } of placesWithin(shares, changed)) {
      const path = disk === null ? undefined : parsePath(encoded)?.path
      if (disk === null || path === undefined || waiting.some((other) => isSameDisk(other, disk))) continue
      if (await disks.isDiskMissing(path, disk)) waiting.push(disk)
    }
  }
  return { at, to, waiting }
}

/**
 * Applies a change to the shares. A new entry at a shared path means that the shared entry no longer exists: another
 * program must have deleted it, without an announcement. A share that waits for its entry waits for just this, and stays.
 */
async function follow(
  dependencies: ShareFollowerDependencies,
  change: StorageChange,
  { at, to, waiting }: ChangedPlaces,
): Promise<void> {
  const { shares } = dependencies
  const isNew = change.isNew === true
  const replace = (path: Path): Promise<void> => repeatIfUnavailable(() => shares.endReplaced(path, waiting))
  switch (change.kind) {
    case 'moved':
      if (at === null || to === null) return
      await repeatIfUnavailable(
        () => shares.followMove({ from: at, to, isNew, waiting }),
        // A move whose connection was lost may have been stored. Repeated, it would end the shares that it has moved.
        () => shares.hasWithin(at),
      )
      return correctSharedPlaces(dependencies, to)
    case 'copied':
      return isNew && to !== null ? replace(to) : undefined
    case 'created':
      return at === null ? undefined : replace(at)
    case 'removed':
      return at === null ? undefined : repeatIfUnavailable(() => shares.endWithin(at, waiting))
    case 'written':
      return
  }
}

/** The times in ms before a change of the shares is repeated. A deadlock is over at once, a restart of the database is not. */
const pausesMs = [20, 200, 1000]

/**
 * Repeats a change of the shares a few times while the database is unavailable. A share whose change is lost would later show
 * another entry at the same path.
 */
async function repeatIfUnavailable(
  change: () => Promise<void>,
  isNeeded: () => Promise<boolean> = async () => true,
): Promise<void> {
  for (const pauseMs of pausesMs)
    try {
      return await change()
    } catch (error) {
      if (codeOf(error) !== 'unavailable') throw error
      await pause(pauseMs)
      if (!(await isNeeded())) return
    }
  return change()
}
