import type { removeShare } from '../../shared/contract/shares.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { namesOf } from '../../shared/domain/path.ts'
import { done, type Answer, type Asked } from '../http/route.ts'
import type { Shares } from '../records/port.ts'
import { requireSharing } from './right.ts'

export type RemoveNeeds = { readonly shares: Pick<Shares, 'find' | 'remove'> }

/** Ends a share of one's own, or anybody's for an administrator. */
export async function remove(
  { shares }: RemoveNeeds,
  { caller, path }: Asked<typeof removeShare>,
): Promise<Answer> {
  requireSharing(caller)
  const [hash, ...more] = namesOf(path)
  if (hash === undefined) throw new AppError('bad-request', { reason: 'no share is named' })
  const share = more.length > 0 ? null : await shares.find(hash)
  if (share === null) throw new AppError('not-found')
  if (share.userId !== caller.user.id && !caller.may('admin')) throw new AppError('forbidden')
  await shares.remove(hash)
  return done
}
