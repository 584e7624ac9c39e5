import type { getShares, listShares, ShareResource } from '../../shared/contract/shares.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import { nameOf, root } from '../../shared/domain/path.ts'
import type { Answer, Asked } from '../http/route.ts'
import type { Share, Shares, User, Users } from '../records/port.ts'
import type { RealPlaces } from './real-places.ts'
import { requireSharing } from './right.ts'

export type ListNeeds = {
  readonly shares: Pick<Shares, 'list'>
  readonly users: Pick<Users, 'list'>
  readonly realPlaces: Pick<RealPlaces, 'ofScoped' | 'inScope'>
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
  const at = await needs.realPlaces.ofScoped(caller.user, path)
  if (at === null) return { kind: 'json', json: [] }
  const found = await needs.shares.list({
    path: at,
    ...(caller.may('admin') ? {} : { userId: caller.user.id }),
  })
  return { kind: 'json', json: await resourcesOf(needs, found) }
}

async function resourcesOf(needs: ListNeeds, found: readonly Share[]): Promise<ShareResource[]> {
  const owners = new Map((await needs.users.list()).map((user) => [user.id, user]))
  const resources: ShareResource[] = []
  for (const share of found) {
    const owner = owners.get(share.userId)
    if (owner !== undefined) resources.push(await shareResource(needs, share, owner))
  }
  return resources
}

/** A share as answered; its path as its owner sees it, or only its name where they no longer do. */
export async function shareResource(
  { realPlaces }: { readonly realPlaces: Pick<RealPlaces, 'inScope'> },
  share: Share,
  owner: Pick<User, 'scope'>,
): Promise<ShareResource> {
  const path = (await realPlaces.inScope(owner, share.path)) ?? `/${nameOf(share.path)}`
  return {
    hash: share.hash,
    path: share.kind === 'folder' && path !== root ? `${path}/` : path,
    userID: share.userId,
    expire: share.expiresAtSeconds ?? 0,
    availableFrom: share.availableFromSeconds ?? 0,
    hasPassword: share.passwordHash !== null,
  }
}
