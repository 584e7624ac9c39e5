import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { nameOf, namesOf, parentOf, pathOf, root, type Path } from '../../shared/domain/path.ts'
import type { Throttle } from '../auth/throttle.ts'
import type { ShareRecord, ShareStore, User, UserStore } from '../records/port.ts'
import type { OperationOptions, Storage } from '../storage/port.ts'
import {
  requireSharePassword,
  shareTokenOf,
  type SharePasswordDependencies,
  type GuestCredentials,
} from './share-password.ts'
import type { RealPathResolver } from './real-paths.ts'

export type OpenShareDependencies = SharePasswordDependencies & {
  readonly shares: Pick<ShareStore, 'find'>
  readonly users: Pick<UserStore, 'find'>
  /** Returns the storage that a user may currently access, for reading. */
  readonly storageOf: (user: User) => Promise<Storage>
  readonly realPaths: Pick<RealPathResolver, 'inScope'>
  readonly settled: () => Promise<void>
  /** Counts requests with unknown hashes by address. */
  readonly throttleHashes: Throttle
  readonly nowMs: () => number
}

/** A request of a guest. The path consists of the share's hash and the path below the shared entry. */
export type OpenShareRequest = GuestCredentials & OperationOptions & { readonly path: Path }

/** A share to which a guest was admitted. */
export type OpenedShare = {
  /** The owner's storage, narrowed to the shared entry and to reading. */
  readonly storage: Storage
  /** The requested path in the narrowed storage. */
  readonly path: Path
  readonly kind: ShareRecord['kind']
  readonly mode: ShareRecord['mode']
  /** The shared entry's own name; empty when the whole scope is shared. */
  readonly name: string
  /** The token that the guest may send instead of the password; null for a share without a password. */
  readonly token: string | null
}

/**
 * Opens a public link. The checks follow the order of contract 9.6: it throws `not-found` for a hash that is unknown,
 * expired or not yet available; then it checks the password; then it throws `forbidden` if the owner may not share;
 * then `not-found` unless the entry exists and still has the kind that was shared.
 */
export async function openShare(
  dependencies: OpenShareDependencies,
  visit: OpenShareRequest,
): Promise<OpenedShare> {
  const [hash, ...below] = namesOf(visit.path)
  if (hash === undefined) throw new AppError('not-found')
  await dependencies.settled()
  const share = await findShare(dependencies, hash, visit.address)
  await requireSharePassword(dependencies, share, visit)
  const owner = await requireOwner(dependencies, share)
  const at = await dependencies.realPaths.inScope(owner, share.path)
  if (at === null) throw new AppError('not-found')
  const storage = await dependencies.storageOf(owner)
  await requireSameKind(storage, { at, kind: share.kind, signal: visit.signal })
  const { kind, mode } = share
  const opened = { kind, mode, name: nameOf(at), token: shareTokenOf(dependencies, share) }
  if (share.kind === 'file') return { ...opened, ...(await narrowToFile(storage, at)) }
  return {
    ...opened,
    storage: await storage.narrow({ at, only: 'read' }),
    path: pathOf(below.join('/')) ?? root,
  }
}

async function findShare(
  { shares, throttleHashes, nowMs }: OpenShareDependencies,
  hash: string,
  address: string,
) {
  const share = await throttleHashes({ account: '', address }, async () => {
    const found = await shares.find(hash)
    return found !== null && (found.availableFromSeconds ?? 0) * 1000 <= nowMs() ? found : null
  })
  if (share === null) throw new AppError('not-found')
  return share
}

/**
 * Returns the share's owner. The owner's permissions are checked at each visit: a link works only while its owner may
 * share.
 */
async function requireOwner({ users }: OpenShareDependencies, { userId }: ShareRecord): Promise<User> {
  const owner = await users.find(userId)
  if (owner === null) throw new AppError('not-found')
  if (owner.isDisabled || !owner.perm.share || !owner.perm.download) throw new AppError('forbidden')
  return owner
}

type ExpectedEntry = OperationOptions & { readonly at: Path; readonly kind: ShareRecord['kind'] }

async function requireSameKind(storage: Storage, { at, kind, signal }: ExpectedEntry): Promise<void> {
  const entry = await storage.stat(at, { signal })
  if (entry.kind !== kind) throw new AppError('not-found')
}

/** Narrows the storage to the shared file. Every path that a guest requests below the file returns the file itself. */
async function narrowToFile(storage: Storage, at: Path): Promise<Pick<OpenedShare, 'storage' | 'path'>> {
  const path = `/${nameOf(at)}` as Path
  try {
    const narrow = {
      at: parentOf(at),
      only: 'read',
      permits: (requested: Path) => requested === path,
    } as const
    return { storage: await storage.narrow(narrow), path }
  } catch (error) {
    // If rules deny the folder, the storage cannot be narrowed to it. The rules may still allow the file.
    if (codeOf(error) !== 'forbidden') throw error
    return { storage: await storage.narrow({ only: 'read', permits: (path) => path === at }), path: at }
  }
}
