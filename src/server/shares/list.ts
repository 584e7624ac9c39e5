import type { getShares, listShares, ShareResource } from '../../shared/contract/shares.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import { nameOf, root } from '../../shared/domain/path.ts'
import type { Answer, Asked } from '../http/route.ts'
import type { Share, Shares, User, Users } from '../records/port.ts'
import { inScope, onVolume } from './place.ts'
import { requireSharing } from './right.ts'

export type ListNeeds = {
  readonly shares: Pick<Shares, 'list'>
  readonly users: Pick<Users, 'list'>
  /** Resolves when every change so far has reached the shares. */
  readonly settled: () => Promise<void>
}

/** One's own shares, or all of them for an administrator. */
export async function list(needs: ListNeeds, { caller }: Asked<typeof listShares>): Promise<Answer> {
  requireSharing(caller)
  await needs.settled()
  const found = await needs.shares.list(caller.may('admin') ? {} : { userId: caller.user.id })
  return { kind: 'json', json: await resourcesOf(needs, found) }
}

/** As {@link list}, of one entry. What the caller may not know of is refused, whether or not it is shared. */
export async function listAt(
  needs: ListNeeds,
  { caller, path, signal }: Asked<typeof getShares>,
): Promise<Answer> {
  requireSharing(caller)
  await needs.settled()
  await caller.storage.stat(path, { signal }).catch((error: unknown) => {
    if (codeOf(error) !== 'not-found' && codeOf(error) !== 'not-a-folder') throw error
  })
  const at = onVolume(caller.user, path)
  if (at === null) return { kind: 'json', json: [] }
  const found = await needs.shares.list({
    path: at,
    ...(caller.may('admin') ? {} : { userId: caller.user.id }),
  })
  return { kind: 'json', json: await resourcesOf(needs, found) }
}

async function resourcesOf({ users }: ListNeeds, found: readonly Share[]): Promise<ShareResource[]> {
  const owners = new Map((await users.list()).map((user) => [user.id, user]))
  return found.flatMap((share) => {
    const owner = owners.get(share.userId)
    return owner === undefined ? [] : [shareResource(share, owner)]
  })
}

/** A share as answered; its path as its owner sees it, or only its name where they no longer do. */
export function shareResource(share: Share, owner: Pick<User, 'scope'>): ShareResource {
  const path = inScope(owner, share.path) ?? `/${nameOf(share.path)}`
  return {
    hash: share.hash,
    path: share.kind === 'folder' && path !== root ? `${path}/` : path,
    userID: share.userId,
    expire: share.expiresAtSeconds ?? 0,
    availableFrom: share.availableFromSeconds ?? 0,
    hasPassword: share.passwordHash !== null,
  }
}
