import { AppError, codeOf, type ErrorCode } from '../../shared/domain/failure.ts'
import type { SharedKind, ShareStore, StoredShare } from '../records/share-store.ts'
import type { User } from '../records/user-store.ts'
import type { OperationOptions } from '../storage/change.ts'
import type { MountedDisks } from '../storage/local-disk.ts'
import type { Storage } from '../storage/port.ts'
import type { RealPathResolver } from './real-paths.ts'

export type FindAwaitedDependencies = {
  readonly shares: Pick<ShareStore, 'find' | 'setFound'>
  readonly storageOf: (user: User) => Promise<Pick<Storage, 'stat'>>
  readonly realPaths: Pick<RealPathResolver, 'ofTarget' | 'inScope'>
  readonly disks: Pick<MountedDisks, 'diskOf'>
}

/** A share whose entry was found once. */
export type FoundShare = StoredShare & { readonly kind: SharedKind }

/** Returns true for a share whose entry was found once. */
export const isFound = (share: StoredShare): share is FoundShare => share.kind !== 'awaited'

/**
 * The failures that mean that a share goes on waiting: the owner can reach no entry at its path. All others, such as those of a disk
 * that hangs, do not say whether there is one.
 */
const absences: readonly ErrorCode[] = [
  'bad-name',
  'broken-link',
  'forbidden',
  'link-loop',
  'not-a-folder',
  'not-found',
]

type FoundEntry = Pick<FoundShare, 'path' | 'kind' | 'disk'>

/**
 * Looks for the entry of a share that waits for it, as the owner sees the files now (decision 181). Returns the share with its
 * entry, which is stored, or null while there is none that the owner may reach. Throws when the storage or the database fails.
 */
export async function findAwaited(
  dependencies: FindAwaitedDependencies,
  share: StoredShare,
  owner: User,
  options: OperationOptions,
): Promise<FoundShare | null> {
  const { shares } = dependencies
  const found = await entryOf(dependencies, share, owner, options).catch((error: unknown) => {
    if (absences.includes(codeOf(error))) return null
    throw error
  })
  if (found === null) return null
  try {
    if (await shares.setFound(share, found)) return { ...share, ...found }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // The entry is there although this cannot be written. A later visit finds it again.
    return { ...share, ...found }
  }
  // Another request has found the entry, or the share was moved or ended meanwhile.
  const now = await shares.find(share.hash)
  return now !== null && isFound(now) ? now : null
}

/** Returns the entry of an awaited share, or null when it is outside of the owner's scope or is neither a file nor a folder. */
async function entryOf(
  { storageOf, realPaths, disks }: FindAwaitedDependencies,
  share: StoredShare,
  owner: User,
  { signal }: OperationOptions,
): Promise<FoundEntry | null> {
  // A link in the last name is resolved, too, as the takeover does for an entry that is there.
  const path = await realPaths.ofTarget(share.path, { signal })
  const at = await realPaths.inScope(owner, path)
  if (at === null) return null
  const { kind } = await (await storageOf(owner)).stat(at, { signal })
  return kind === 'file' || kind === 'folder' ? { path, kind, disk: await disks.diskOf(path) } : null
}
