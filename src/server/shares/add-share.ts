import type { NewShare, ShareResource } from '../../shared/contract/shares.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { SharedKind, ShareRecord, ShareStore } from '../records/share-store.ts'
import type { MountedDisks } from '../storage/local-disk.ts'
import type { Storage } from '../storage/port.ts'
import { shareResource, type DropTotalsDependencies } from './list-shares.ts'
import type { RealPathResolver } from './real-paths.ts'
import { reservingAlias, type ReserveAliasDependencies } from './reserve-alias.ts'
import { requireFittingMode, requireSharingPermission, type SharingActor } from './sharing-permission.ts'
import { termsOf } from './share-terms.ts'

export type AddShareDependencies = DropTotalsDependencies &
  ReserveAliasDependencies & {
    readonly shares: Pick<ShareStore, 'add'>
    readonly realPaths: Pick<RealPathResolver, 'ofScoped' | 'inScope'>
    readonly disks: Pick<MountedDisks, 'diskOf'>
    readonly settled: () => Promise<void>
    readonly hashPassword: (password: string) => Promise<string>
    readonly randomBytes: (count: number) => Uint8Array
    readonly nowMs: () => number
  }

/** Number of random bytes in a share's hash: 128 bits, written as 22 characters. */
const hashBytes = 16

/** An entry to share. */
export type EntryToShare = {
  readonly path: Path
  readonly terms: NewShare
  readonly signal: AbortSignal
  readonly address: string
}

/** Creates a share of an existing entry that the actor may access. */
export async function addShare(
  dependencies: AddShareDependencies,
  actor: SharingActor,
  { path, terms: { password, ...requested }, signal, address }: EntryToShare,
): Promise<ShareResource> {
  requireSharingPermission(actor)
  const terms = termsOf(requested, dependencies.nowMs())
  const kind = await kindAt(actor.storage, path, signal)
  requireFittingMode(actor, terms.mode, kind)
  const at = await dependencies.realPaths.ofScoped(actor.user, path)
  if (at === null) throw new AppError('bad-request', { reason: 'the path is too long' })
  const share: ShareRecord = {
    ...terms,
    hash: Buffer.from(dependencies.randomBytes(hashBytes)).toString('base64url'),
    userId: actor.user.id,
    path: at,
    kind,
    passwordHash: password ? await dependencies.hashPassword(password) : null,
    tokenDigest: null,
    createdAtMs: dependencies.nowMs(),
    disk: await dependencies.disks.diskOf(at),
  }
  await dependencies.settled()
  await reservingAlias(dependencies, { alias: share.alias, address }, () => dependencies.shares.add(share))
  return shareResource(dependencies, { ...share, visits: 0, downloads: 0, seenFiles: 0 }, actor.user)
}

/**
 * Returns the kind of the entry to share. Links are refused because they may lead elsewhere later; pipes, sockets and
 * devices are refused because they have no content to share.
 */
async function kindAt(storage: Storage, path: Path, signal: AbortSignal): Promise<SharedKind> {
  const { kind } = await storage.stat(path, { signal })
  if (kind === 'file' || kind === 'folder') return kind
  throw new AppError('bad-request', { reason: 'only files and folders can be shared' })
}
