import { hash } from 'node:crypto'
import type { AccessRule, Permission } from '../../shared/domain/access.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { User } from '../records/user-store.ts'
import type { IntendedChange } from '../storage/change.ts'

/**
 * Returns the cache key of a user's storage: a digest of all stored values that determine the user's access. The values may
 * have megabytes, and other caches have the key as a part of their keys.
 */
export const storageKeyOf = (user: User, globalRules: readonly AccessRule[]): string =>
  hash('sha256', JSON.stringify([user.scope, user.hideDotfiles, globalRules, user.rules]), 'base64url')

/** Like `storageKeyOf`, without the preference about hidden entries, whose change takes no right away. */
const rightsKeyOf = (user: User, globalRules: readonly AccessRule[]): string =>
  JSON.stringify([user.scope, globalRules, user.rules])

/** The access of a user when a request was admitted, as far as the request relies on it. */
export type AccessAtAdmission = {
  readonly user: User
  readonly globalRules: readonly AccessRule[]
  /** The permissions on which the request relies. */
  readonly needed: Iterable<Permission>
}

/** Throws `forbidden` when a needed permission, the scope or the rules of a user are no longer those of the admission. */
export function requireSameAccess(
  { user, globalRules, needed }: AccessAtAdmission,
  now: User,
  globalRulesNow: readonly AccessRule[],
): void {
  // The records return identical objects while nothing has changed.
  if (now === user && globalRulesNow === globalRules) return
  for (const permission of needed) if (!now.perm[permission]) throw new AppError('forbidden', { permission })
  if (rightsKeyOf(now, globalRulesNow) !== rightsKeyOf(user, globalRules))
    throw new AppError('forbidden', { reason: 'the scope or the rules of the user have changed' })
}

type QuotaOfUser = Pick<User, 'quotaBytes'>

/**
 * Throws `over-quota` for a change that stores bytes when the user's quota is smaller than at the admission, because the
 * storage applies that one.
 */
export function refuseLoweredQuota(
  kind: IntendedChange['kind'],
  before: QuotaOfUser,
  now: QuotaOfUser,
): void {
  const bytesOf = ({ quotaBytes }: QuotaOfUser): number => quotaBytes ?? Number.POSITIVE_INFINITY
  if ((kind === 'write' || kind === 'copy') && bytesOf(now) < bytesOf(before))
    throw new AppError('over-quota', { reason: 'the quota was lowered' })
}
