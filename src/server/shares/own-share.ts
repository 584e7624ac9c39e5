import { AppError } from '../../shared/domain/failure.ts'
import { namesOf, type Path } from '../../shared/domain/path.ts'
import type { Actor } from '../access/actor.ts'
import type { ShareRecord, ShareStore } from '../records/share-store.ts'
import { requireSharingPermission } from './sharing-permission.ts'

/**
 * Returns the share whose hash is the whole path, for its owner or an administrator. Throws `bad-request` for an empty
 * path, `not-found` for an unknown share, and `forbidden` for a share of another user or without the permission to share.
 */
export async function ownShareAt(
  shares: Pick<ShareStore, 'find'>,
  actor: Pick<Actor, 'user' | 'may'>,
  path: Path,
): Promise<ShareRecord> {
  requireSharingPermission(actor)
  const [hash, ...more] = namesOf(path)
  if (hash === undefined) throw new AppError('bad-request', { reason: 'the URL contains no share' })
  const share = more.length > 0 ? null : await shares.find(hash)
  if (share === null) throw new AppError('not-found')
  if (share.userId !== actor.user.id && !actor.may('admin')) throw new AppError('forbidden')
  return share
}
