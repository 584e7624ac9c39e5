import type { getShares, listShares, ShareResource } from '../../shared/contract/shares.ts'
import { nameOf, root } from '../../shared/domain/path.ts'
import type { RouteResponse, OperationRequest } from '../http/route.ts'
import type { ReceivedFileStore, ShareRecord, ShareStore, User, UserStore } from '../records/port.ts'
import { statOrNull } from '../storage/stat-or-null.ts'
import type { RealPathResolver } from './real-paths.ts'
import type { RunningReceptions } from './running-receptions.ts'
import { requireSharingPermission } from './sharing-permission.ts'

export type ListSharesDependencies = DropTotalsDependencies & {
  readonly shares: Pick<ShareStore, 'list'>
  readonly users: Pick<UserStore, 'list'>
  readonly realPaths: Pick<RealPathResolver, 'ofScoped' | 'inScope'>
  /** Resolves when every change announced so far has been applied to the shares. */
  readonly settled: () => Promise<void>
}

/** Lists the caller's own shares, or all shares for an administrator who does not ask for the own ones. */
export async function listVisibleShares(
  dependencies: ListSharesDependencies,
  { caller, query }: OperationRequest<typeof listShares>,
): Promise<RouteResponse> {
  requireSharingPermission(caller)
  await dependencies.settled()
  const isForAll = caller.may('admin') && query.own !== 'true'
  const found = await dependencies.shares.list(isForAll ? {} : { userId: caller.user.id })
  return { kind: 'json', json: await resourcesOf(dependencies, found) }
}

/**
 * Lists the caller's own shares of one entry, or all its shares for an administrator. A path that the caller may not
 * access is refused, whether or not it is shared.
 */
export async function listSharesOfEntry(
  dependencies: ListSharesDependencies,
  { caller, path, signal }: OperationRequest<typeof getShares>,
): Promise<RouteResponse> {
  requireSharingPermission(caller)
  await dependencies.settled()
  await statOrNull(caller.storage, path, { signal })
  const at = await dependencies.realPaths.ofScoped(caller.user, path)
  if (at === null) return { kind: 'json', json: [] }
  const found = await dependencies.shares.list({
    path: at,
    ...(caller.may('admin') ? {} : { userId: caller.user.id }),
  })
  return { kind: 'json', json: await resourcesOf(dependencies, found) }
}

async function resourcesOf(
  dependencies: ListSharesDependencies,
  found: readonly ShareRecord[],
): Promise<ShareResource[]> {
  const owners = new Map((await dependencies.users.list()).map((user) => [user.id, user]))
  const resources: ShareResource[] = []
  for (const share of found) {
    const owner = owners.get(share.userId)
    if (owner !== undefined) resources.push(await shareResource(dependencies, share, owner))
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
  share: ShareRecord,
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
    ...(share.mode === 'upload-only' && { drop: await dropOf(dependencies, share) }),
  }
}

/** Returns the limits of an upload-only share and the totals of what has arrived. */
async function dropOf(
  { receivedFiles, runningReceptions }: DropTotalsDependencies,
  { hash, maxFiles, maxBytes }: ShareRecord,
): Promise<NonNullable<ShareResource['drop']>> {
  const { files, bytes } = await receivedFiles.totals(hash)
  return {
    maxFiles: maxFiles ?? 0,
    maxBytes: maxBytes ?? 0,
    receivedFiles: files,
    receivedBytes: bytes,
    runningFiles: runningReceptions.list(hash).length,
  }
}
