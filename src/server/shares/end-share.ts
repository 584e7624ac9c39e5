import type { removeShare } from '../../shared/contract/shares.ts'
import { done, type RouteResponse, type OperationRequest } from '../http/route.ts'
import type { ShareStore } from '../records/port.ts'
import { ownShareAt } from './own-share.ts'

export type EndShareDependencies = { readonly shares: Pick<ShareStore, 'find' | 'remove'> }

/** Ends a share of the caller, or any share for an administrator. */
export async function endShare(
  { shares }: EndShareDependencies,
  request: OperationRequest<typeof removeShare>,
): Promise<RouteResponse> {
  const { hash } = await ownShareAt(shares, request)
  await shares.remove(hash)
  return done
}
