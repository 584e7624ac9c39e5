import { AppError } from '../../shared/domain/failure.ts'
import type { Caller } from '../access/caller.ts'

/** Sharing gives away downloads, so it takes both permissions (contract 1.6); the endpoint asks for the first. */
export function requireSharing(caller: Pick<Caller, 'may'>): void {
  if (!caller.may('share') || !caller.may('download')) throw new AppError('forbidden')
}
