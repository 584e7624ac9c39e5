import type { createShare } from '../../shared/contract/shares.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { RouteResponse, OperationRequest } from '../http/route.ts'
import type { ShareRecord, ShareStore } from '../records/port.ts'
import type { Storage, Volume } from '../storage/port.ts'
import { shareResource, type DropTotalsDependencies } from './list-shares.ts'
import type { RealPathResolver } from './real-paths.ts'
import { requireFittingMode, requireSharingPermission } from './sharing-permission.ts'
import { termsOf } from './share-terms.ts'

export type AddShareDependencies = DropTotalsDependencies & {
  readonly shares: Pick<ShareStore, 'add'>
  readonly realPaths: Pick<RealPathResolver, 'ofScoped' | 'inScope'>
  readonly disks: Pick<Volume, 'diskOf'>
  readonly settled: () => Promise<void>
  readonly hashPassword: (password: string) => Promise<string>
  readonly randomBytes: (count: number) => Uint8Array
  readonly nowMs: () => number
}

/** Number of random bytes in a share's hash: 128 bits, written as 22 characters. */
const hashBytes = 16

/** Creates a share of an existing entry that the caller may access. */
export async function addShare(
  dependencies: AddShareDependencies,
  request: OperationRequest<typeof createShare>,
): Promise<RouteResponse> {
  const { caller, path, body, query, signal } = request
  requireSharingPermission(caller)
  const terms = termsOf(body, query, dependencies.nowMs())
  const kind = await kindAt(caller.storage, path, signal)
  requireFittingMode(caller, terms.mode, kind)
  const at = await dependencies.realPaths.ofScoped(caller.user, path)
  if (at === null) throw new AppError('bad-request', { reason: 'the path is too long' })
  const password = body.password ?? ''
  const share: ShareRecord = {
    ...terms,
    hash: Buffer.from(dependencies.randomBytes(hashBytes)).toString('base64url'),
    userId: caller.user.id,
    path: at,
    kind,
    passwordHash: password === '' ? null : await dependencies.hashPassword(password),
    tokenDigest: null,
    createdAtMs: dependencies.nowMs(),
    disk: await dependencies.disks.diskOf(at),
  }
  await dependencies.settled()
  await dependencies.shares.add(share)
  return { kind: 'json', json: await shareResource(dependencies, share, caller.user) }
}

/**
 * Returns the kind of the entry to share. Links are refused because they may lead elsewhere later; pipes, sockets and
 * devices are refused because they have no content to share.
 */
async function kindAt(storage: Storage, path: Path, signal: AbortSignal): Promise<ShareRecord['kind']> {
  const { kind } = await storage.stat(path, { signal })
  if (kind === 'file' || kind === 'folder') return kind
  throw new AppError('bad-request', { reason: 'only files and folders can be shared' })
}
