import { operationPermissions } from '../../shared/domain/access.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { ShareMode } from '../../shared/contract/shares.ts'
import type { Caller } from '../access/caller.ts'

/**
 * Throws `forbidden` unless the caller may share and download. Guests can download shared entries, so sharing requires
 * both permissions (contract 1.6). The endpoint itself requires only `share`.
 */
export function requireSharingPermission(caller: Pick<Caller, 'may'>): void {
  if (!operationPermissions.share.every(caller.may)) throw new AppError('forbidden')
}

/**
 * Throws unless the caller may give an entry of this kind a mode. Only folders can be upload-only, and only by somebody
 * who may create files, because guests then create them (decision 72).
 */
export function requireFittingMode(
  caller: Pick<Caller, 'may'>,
  mode: ShareMode | null | undefined,
  kind: 'file' | 'folder',
): void {
  if (mode !== 'upload-only') return
  if (!caller.may('create')) throw new AppError('forbidden', { permission: 'create' })
  if (kind !== 'folder') throw new AppError('bad-request', { reason: 'only folders can be upload-only' })
}
