import { joinPaths, type Path } from '../../shared/domain/path.ts'
import type { StorageChange } from '../changes/change.ts'
import type { ShareStore } from '../records/port.ts'
import { correctSharedPaths, type RealPathResolver } from './real-paths.ts'

export type ShareFollowerDependencies = {
  readonly shares: Pick<ShareStore, 'followMove' | 'endWithin' | 'sharedPaths' | 'correctPath'>
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
 * when its entry is removed (T27).
 */
export function followChanges({
  shares,
  realPaths,
  subscribe,
  onFault,
}: ShareFollowerDependencies): ShareFollower {
  let latest = correctSharedPaths(shares, realPaths).catch(onFault)
  const stop = subscribe((change) => {
    // The real paths are looked up immediately, because the next change may affect the links in these paths.
    const where = changedPathsOf(change, shares, realPaths)
    // The lookup may fail long before it is awaited, which is when its failure is reported. Without this handler the
    // failure would be an unhandled rejection.
    where.catch(() => undefined)
    latest = latest.then(async () => follow(shares, change, await where)).catch(onFault)
    return latest
  })
  return { settled: () => latest, stop }
}

/** The real paths of a change. */
type ChangedPaths = { readonly at: Path | null; readonly to: Path | null }

const noPaths: ChangedPaths = { at: null, to: null }

/** Returns the real paths of a change. Both paths are null when the change cannot affect any share. */
async function changedPathsOf(
  change: StorageChange,
  shares: Pick<ShareStore, 'sharedPaths'>,
  realPaths: ShareFollowerDependencies['realPaths'],
): Promise<ChangedPaths> {
  if (change.kind === 'written') return noPaths
  if (change.kind === 'moved' || change.kind === 'removed') realPaths.clearCache()
  if ((await shares.sharedPaths()).length === 0) return noPaths
  const realPathOf = async (path: Path | undefined): Promise<Path | null> => {
    const at = path === undefined ? null : joinPaths(change.scope, path)
    return at === null ? null : realPaths.of(at)
  }
  return { at: await realPathOf(change.path), to: await realPathOf(change.to) }
}

/**
 * Applies a change to the shares. A new entry at a shared path means that the shared entry no longer exists: another
 * program must have deleted it, without an announcement.
 */
async function follow(
  shares: ShareFollowerDependencies['shares'],
  change: StorageChange,
  { at, to }: ChangedPaths,
): Promise<void> {
  const isNew = change.isNew === true
  if (change.kind === 'moved') {
    if (at !== null && to !== null) await shares.followMove({ from: at, to, isNew })
  } else if (change.kind === 'copied') {
    if (isNew && to !== null) await shares.endWithin(to)
  } else if (at !== null) await shares.endWithin(at)
}
