import type { ChangedShare, ShareResource } from '../../shared/contract/shares.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Actor } from '../access/actor.ts'
import type { ShareChanges, ShareStore } from '../records/share-store.ts'
import type { UserStore } from '../records/user-store.ts'
import { shareResource, type DropTotalsDependencies } from './list-shares.ts'
import { ownShareAt } from './own-share.ts'
import type { RealPathResolver } from './real-paths.ts'
import { reservingAlias, type ReserveAliasDependencies } from './reserve-alias.ts'
import { requireFittingMode } from './sharing-permission.ts'
import { changedTermsOf } from './share-terms.ts'

export type ChangeShareDependencies = DropTotalsDependencies &
  ReserveAliasDependencies & {
    readonly shares: Pick<ShareStore, 'find' | 'update'>
    readonly users: Pick<UserStore, 'find'>
    readonly realPaths: Pick<RealPathResolver, 'inScope'>
    readonly settled: () => Promise<void>
    readonly hashPassword: (password: string) => Promise<string>
    readonly nowMs: () => number
  }

/** The share whose hash is the path, and the terms that change. */
export type ShareChange = { readonly path: Path; readonly terms: ChangedShare; readonly address: string }

/** Changes a share of the actor, or any share for an administrator. Its hash stays (decision 71). */
export async function changeShare(
  dependencies: ChangeShareDependencies,
  actor: Actor,
  { path, terms, address }: ShareChange,
): Promise<ShareResource> {
  await dependencies.settled()
  const { hash, userId, kind } = await ownShareAt(dependencies.shares, actor, path)
  requireFittingMode(actor, terms.mode, kind)
  const changes = changedTermsOf(terms, dependencies.nowMs())
  const password = await passwordChangesOf(dependencies, terms.password)
  const { alias } = changes
  const { changed: share } = await reservingAlias(dependencies, { alias, address }, async () => ({
    changed: await dependencies.shares.update(hash, { ...changes, ...password }),
  }))
  const owner = await dependencies.users.find(userId)
  // The share may have ended while its new password was hashed.
  if (share === null || owner === null) throw new AppError('not-found')
  return shareResource(dependencies, share, owner)
}

/** Returns the changes that a password makes. The stored token of an imported share ends with its password. */
async function passwordChangesOf(
  { hashPassword }: Pick<ChangeShareDependencies, 'hashPassword'>,
  password: string | null | undefined,
): Promise<ShareChanges> {
  if (password === null || password === undefined) return {}
  return { passwordHash: password === '' ? null : await hashPassword(password), tokenDigest: null }
}
