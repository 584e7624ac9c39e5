import type { removeShare } from '../../shared/contract/shares.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { namesOf } from '../../shared/domain/path.ts'
import { done, type RouteResponse, type OperationRequest } from '../http/route.ts'
import type { ShareStore } from '../records/port.ts'
import { requireSharingPermission } from './sharing-permission.ts'

export type EndShareDependencies = { readonly shares: Pick<ShareStore, 'find' | 'remove'> }

/** Ends a share of the caller, or any share for an administrator. */
export async function endShare(
  { shares }: EndShareDependencies,
  { caller, path }: OperationRequest<typeof removeShare>,
): Promise<RouteResponse> {
  requireSharingPermission(caller)
  const [hash, ...more] = namesOf(path)
  if (hash === undefined) throw new AppError('bad-request', { reason: 'the URL contains no share' })
  const share = more.length > 0 ? null : await shares.find(hash)
  if (share === null) throw new AppError('not-found')
  if (share.userId !== caller.user.id && !caller.may('admin')) throw new AppError('forbidden')
  await shares.remove(hash)
  return done
}
