import { operationPermissions } from '../../shared/domain/access.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Caller } from '../access/caller.ts'

/**
 * Throws `forbidden` unless the caller may share and download. Guests can download shared entries, so sharing requires
 * both permissions (contract 1.6). The endpoint itself requires only `share`.
 */
export function requireSharingPermission(caller: Pick<Caller, 'may'>): void {
  if (!operationPermissions.share.every(caller.may)) throw new AppError('forbidden')
}
