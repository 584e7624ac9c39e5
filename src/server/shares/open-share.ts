import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { pathOfNames, nameOf, namesOf, parentOf, pathOf, root, type Path } from '../../shared/domain/path.ts'
import type { Throttle } from '../auth/throttle.ts'
import type { SharedKind, ShareRecord, ShareStore } from '../records/share-store.ts'
import type { User, UserStore } from '../records/user-store.ts'
import type { OperationOptions } from '../storage/change.ts'
import type { MountedDisks } from '../storage/local-disk.ts'
import type { Storage } from '../storage/port.ts'
import {
  requireSharePassword,
  shareTokenOf,
  type SharePasswordDependencies,
  type GuestCredentials,
} from './share-password.ts'
import { findAwaited, isFound, type FoundShare } from './find-awaited.ts'
import { guestPassOf, mayReceiveGuests } from './guest-passes.ts'
import type { RealPathResolver } from './real-paths.ts'

export type OpenShareDependencies = SharePasswordDependencies & {
  readonly shares: Pick<ShareStore, 'find' | 'findByAddress' | 'setFound'>
  readonly users: Pick<UserStore, 'find'>
  /** Returns the storage that a user may currently access, for reading. */
  readonly storageOf: (user: User) => Promise<Storage>
  readonly realPaths: Pick<RealPathResolver, 'ofTarget' | 'inScope'>
  readonly disks: MountedDisks
  readonly settled: () => Promise<void>
  /** Counts requests with unknown hashes and aliases by address. */
  readonly throttleHashes: Throttle
}

/** A request of a guest. The path consists of the share's hash or alias and the path below the shared entry. */
export type OpenShareRequest = GuestCredentials & {
  readonly path: Path
  readonly signal: AbortSignal
  /** Aborts the request's transfer when the guest pass with this id ends. */
  readonly runUnderPass: (id: string) => void
}

/** A share to which a guest was admitted. */
export type OpenedShare = {
  readonly share: FoundShare
  /** The owner's storage, narrowed to the shared entry and to reading. */
  readonly storage: Storage
  /** The requested path in the narrowed storage. */
  readonly path: Path
  readonly kind: SharedKind
  readonly mode: Exclude<ShareRecord['mode'], 'upload-only'>
  /** The shared entry's own name; empty when the whole scope is shared. */
  readonly name: string
  /** The token that the guest may send instead of the password; null for a share without a password. */
  readonly token: string | null
}

/** A guest whose request has passed the checks that are the same for every mode of a share. */
export type AdmittedGuest = {
  readonly share: FoundShare
  readonly owner: User
  /** The path of the shared entry in the owner's scope. */
  readonly at: Path
  /** The names of the requested path below the shared entry. */
  readonly below: readonly string[]
  /** The owner's storage, which is not narrowed to the share. */
  readonly ownerStorage: Storage
  readonly token: OpenedShare['token']
}

/**
 * Admits a guest to a public link. The checks follow the order of contract 9.6: it throws `not-found` for a hash that is
 * unknown, expired or not yet available, and for a share that waits for its entry; then it checks the password; then it throws `forbidden` if the owner may not
 * share; then `unavailable` while the disk of the entry is missing; then `not-found` unless the entry exists and still has
 * the kind that was shared.
 */
export async function admitGuest(
  dependencies: OpenShareDependencies,
  visit: OpenShareRequest,
): Promise<AdmittedGuest> {
  const [hashOrAlias, ...below] = namesOf(visit.path)
  if (hashOrAlias === undefined) throw new AppError('not-found')
  await dependencies.settled()
  const share = await findShare(dependencies, hashOrAlias, visit)
  await requireSharePassword(dependencies, share, visit)
  const owner = await requireOwner(dependencies, share)
  visit.runUnderPass(guestPassOf(share))
  await requireDisk(dependencies, share)
  const at = await dependencies.realPaths.inScope(owner, share.path)
  if (at === null) throw new AppError('not-found')
  const ownerStorage = await dependencies.storageOf(owner)
  await requireSameKind(ownerStorage, { at, kind: share.kind, signal: visit.signal })
  return { share, owner, at, below, ownerStorage, token: shareTokenOf(dependencies, share) }
}

/** Opens a share for reading. Throws `forbidden` for an upload-only share, whose guests see nothing (decision 72). */
export async function openShare({
  share,
  at,
  below,
  ownerStorage,
  token,
}: AdmittedGuest): Promise<OpenedShare> {
  const { kind, mode } = share
  if (mode === 'upload-only') throw new AppError('forbidden')
  const opened = { share, kind, mode, name: nameOf(at), token }
  if (kind === 'file') return { ...opened, ...(await narrowToFile(ownerStorage, at)) }
  return {
    ...opened,
    storage: await ownerStorage.narrow({ at, only: 'read' }),
    path: pathOf(below.join('/')) ?? root,
  }
}

/**
 * Returns the owner of an upload-only share if a guest who was admitted to it may still add files. Throws `not-found` when
 * the share has ended, does not work yet, or leads to another entry, and `forbidden` when it has another mode or password,
 * or when its owner may no longer create files or share, and `unavailable` while the disk of the shared folder is missing.
 */
export async function requireOpenDrop(
  dependencies: Pick<OpenShareDependencies, 'users' | 'nowMs'> & {
    readonly disks: Pick<MountedDisks, 'isDiskMissing'>
    readonly shares: Pick<ShareStore, 'find'>
  },
  admitted: ShareRecord,
): Promise<User> {
  const share = await dependencies.shares.find(admitted.hash)
  if (share === null || share.path !== admitted.path || !hasBegun(share, dependencies.nowMs()))
    throw new AppError('not-found')
  if (share.mode !== 'upload-only' || share.passwordHash !== admitted.passwordHash)
    throw new AppError('forbidden')
  await requireDisk(dependencies, share)
  return requireOwner(dependencies, share)
}

/**
 * Throws `unavailable` while the disk of the shared entry is missing. What is at the path meanwhile lies on the empty mount
 * point and was not shared.
 */
async function requireDisk(
  { disks }: { readonly disks: Pick<MountedDisks, 'isDiskMissing'> },
  { path, disk }: ShareRecord,
): Promise<void> {
  if (disk !== null && (await disks.isDiskMissing(path, disk)))
    throw new AppError('unavailable', { reason: 'the disk of the shared entry is missing' })
}

/** True when the share works already. */
const hasBegun = ({ availableFromSeconds }: ShareRecord, nowMs: number): boolean =>
  (availableFromSeconds ?? 0) * 1000 <= nowMs

async function findShare(
  dependencies: OpenShareDependencies,
  hashOrAlias: string,
  { address, signal }: Pick<OpenShareRequest, 'address' | 'signal'>,
): Promise<FoundShare> {
  const { shares, users, throttleHashes, nowMs } = dependencies
  const share = await throttleHashes({ account: '', address }, async () => {
    const stored = await shares.findByAddress(hashOrAlias)
    if (stored === null || !hasBegun(stored, nowMs())) return null
    if (isFound(stored)) return stored
    const owner = await users.find(stored.userId)
    return owner && findAwaited(dependencies, stored, owner, { signal })
  })
  if (share === null) throw new AppError('not-found')
  return share
}

/**
 * Returns the share's owner. The owner's permissions are checked at each visit: a link works only while its owner may
 * share.
 */
async function requireOwner(
  { users }: Pick<OpenShareDependencies, 'users'>,
  { userId, mode }: ShareRecord,
): Promise<User> {
  const owner = await users.find(userId)
  if (owner === null) throw new AppError('not-found')
  if (!mayReceiveGuests(owner, mode)) throw new AppError('forbidden')
  return owner
}

type ExpectedEntry = OperationOptions & { readonly at: Path; readonly kind: SharedKind }

async function requireSameKind(storage: Storage, { at, kind, signal }: ExpectedEntry): Promise<void> {
  const entry = await storage.stat(at, { signal })
  if (entry.kind !== kind) throw new AppError('not-found')
}

/** Narrows the storage to the shared file. Every path that a guest requests below the file returns the file itself. */
async function narrowToFile(storage: Storage, at: Path): Promise<Pick<OpenedShare, 'storage' | 'path'>> {
  const path = pathOfNames([nameOf(at)])
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
