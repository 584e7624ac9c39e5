import { operationPermissions } from '../../shared/domain/access.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { ShareMode } from '../../shared/contract/shares.ts'
import type { Actor } from '../access/actor.ts'
import type { ShareRecord } from '../records/share-store.ts'
import type { User } from '../records/user-store.ts'

/** Somebody who shares entries of a scope. */
export type SharingActor = Actor & { readonly user: Pick<User, 'scope'> }

/**
 * Throws `forbidden` unless the actor may share and download. Guests can download shared entries, so sharing requires
 * both permissions (contract 1.6). The endpoint itself requires only `share`.
 */
export function requireSharingPermission({ may }: Pick<Actor, 'may'>): void {
  if (!operationPermissions.share.every(may)) throw new AppError('forbidden')
}

/**
 * Throws unless the actor may give an entry of this kind a mode. Only folders can be upload-only, and only by somebody
 * who may create files, because guests then create them (decision 72).
 */
export function requireFittingMode(
  { may }: Pick<Actor, 'may'>,
  mode: ShareMode | null | undefined,
  kind: ShareRecord['kind'],
): void {
  if (mode !== 'upload-only') return
  if (!may('create')) throw new AppError('forbidden', { permission: 'create' })
  if (kind !== 'folder') throw new AppError('bad-request', { reason: 'only folders can be upload-only' })
}
