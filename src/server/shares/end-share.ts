import type { removeShare } from '../../shared/contract/shares.ts'
import { done, type RouteResponse, type OperationRequest } from '../http/route.ts'
import type { ShareStore } from '../records/port.ts'
import { ownShareAt } from './own-share.ts'
import type { RunningReceptions } from './running-receptions.ts'

export type EndShareDependencies = {
  readonly shares: Pick<ShareStore, 'find' | 'remove'>
  readonly runningReceptions: Pick<RunningReceptions, 'list' | 'end'>
}

/** Ends a share of the caller, or any share for an administrator, with the files that guests are sending to it. */
export async function endShare(
  { shares, runningReceptions }: EndShareDependencies,
  request: OperationRequest<typeof removeShare>,
): Promise<RouteResponse> {
  const { hash } = await ownShareAt(shares, request)
  await shares.remove(hash)
  for (const { id } of runningReceptions.list(hash)) runningReceptions.end(hash, id, 'not-found')
  return done
}
