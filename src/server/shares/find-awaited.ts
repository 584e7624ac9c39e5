import { AppError } from '../../shared/domain/failure.ts'
import type { SharedKind, ShareStore, StoredShare } from '../records/share-store.ts'
import type { User } from '../records/user-store.ts'
import type { OperationOptions } from '../storage/change.ts'
import type { Storage, Volume } from '../storage/port.ts'
import type { RealPathResolver } from './real-paths.ts'

export type FindAwaitedDependencies = {
  readonly shares: Pick<ShareStore, 'setFound'>
  readonly storageOf: (user: User) => Promise<Pick<Storage, 'stat'>>
  readonly realPaths: Pick<RealPathResolver, 'of' | 'inScope'>
  readonly disks: Pick<Volume, 'diskOf'>
}

/** A share whose entry was found once. */
export type FoundShare = StoredShare & { readonly kind: SharedKind }

/** Returns true for a share whose entry was found once. */
export const isFound = (share: StoredShare): share is FoundShare => share.kind !== 'awaited'

/**
 * Looks for the entry of a share that waits for it, as the owner sees the files now (decision 181). Returns the share with its
 * entry, which is stored, or null while there is none that the owner may reach.
 */
export async function findAwaited(
  { shares, storageOf, realPaths, disks }: FindAwaitedDependencies,
  share: StoredShare,
  owner: User,
  { signal }: OperationOptions,
): Promise<FoundShare | null> {
  try {
    const path = await realPaths.of(share.path)
    const at = await realPaths.inScope(owner, path)
    if (at === null) return null
    const { kind } = await (await storageOf(owner)).stat(at, { signal })
    if (kind !== 'file' && kind !== 'folder') return null
    const found = { path, kind, disk: await disks.diskOf(path) }
    await shares.setFound(share.hash, found)
    return { ...share, ...found }
  } catch (error) {
    // The entry is missing, denied or on a disk that fails, or the database cannot be written. The share goes on waiting.
    if (error instanceof AppError) return null
    throw error
  }
}
