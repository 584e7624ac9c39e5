import { createHmac } from 'node:crypto'
import { AppError } from '../../shared/domain/failure.ts'
import type { Throttle } from '../auth/throttle.ts'
import { digestOf, isSameSecret } from '../auth/tokens.ts'
import type { ShareRecord } from '../records/share-store.ts'

export type SharePasswordDependencies = {
  /** The key that signs tokens. */
  readonly key: Uint8Array
  readonly verifyPassword: (password: string, hash: string) => Promise<boolean>
  /** Counts wrong passwords by share and network. */
  readonly throttlePasswords: Throttle
  readonly nowMs: () => number
  /** True when tokens never expire, as those of File Browser. */
  readonly permanentTokens: boolean
}

/** The credentials of a guest. */
export type GuestCredentials = {
  readonly token: string | undefined
  /** The texts of which one may be the share's password. Empty when the guest sends no password. */
  readonly passwords: readonly string[]
  readonly address: string
}

/**
 * Throws `not-signed-in` unless the guest sends the share's token or password. Only a wrong password counts as a failed
 * try; a missing password and a wrong token do not (contract 9.6).
 */
export async function requireSharePassword(
  dependencies: SharePasswordDependencies,
  share: ShareRecord,
  proof: GuestCredentials,
): Promise<void> {
  const { passwordHash } = share
  if (passwordHash === null || isShareToken(dependencies, share, proof.token ?? '')) return
  if (proof.passwords.length === 0) throw new AppError('not-signed-in')
  const who = { account: share.hash, address: proof.address }
  const isRight = await dependencies.throttlePasswords(who, async () => {
    for (const password of proof.passwords)
      if (await dependencies.verifyPassword(password, passwordHash)) return true
    return null
  })
  if (isRight === null) throw new AppError('not-signed-in')
}

/**
 * A token is valid until the end of the second window after the one in which it was issued: 12 to 18 hours, which is
 * longer than any film and than a day of work. The tokens of one window are equal, so that the URLs of a
 * page stay the same when it is shown again.
 */
const tokenWindowMs = 6 * 60 * 60 * 1000
const validWindows = 3

/**
 * Returns the token that replaces the share's password, or null for a share without a password. The token is derived
 * from the hashes of the share and of its password, so that it is invalid after the password changes. It is not stored.
 */
export function shareTokenOf(
  dependencies: Pick<SharePasswordDependencies, 'key' | 'nowMs' | 'permanentTokens'>,
  share: ShareRecord,
): string | null {
  if (share.passwordHash === null) return null
  if (dependencies.permanentTokens) return permanentTokenOf(dependencies, share)
  const window = Math.floor(dependencies.nowMs() / tokenWindowMs) + validWindows
  return windowTokenOf(dependencies, share, window)
}

const permanentTokenOf = ({ key }: Pick<SharePasswordDependencies, 'key'>, share: ShareRecord): string =>
  createHmac('sha256', key).update(`share\0${share.hash}\0${share.passwordHash}`).digest('base64url')

/** Returns the token that is valid until the window with this number begins. */
const windowTokenOf = (
  { key }: Pick<SharePasswordDependencies, 'key'>,
  { hash, passwordHash }: ShareRecord,
  window: number,
): string => {
  const mac = createHmac('sha256', key).update(`share\0${hash}\0${passwordHash}\0${window}`)
  return `${window.toString(36)}.${mac.digest('base64url')}`
}

function isShareToken(dependencies: SharePasswordDependencies, share: ShareRecord, token: string): boolean {
  if (token === '' || share.passwordHash === null) return false
  if (share.tokenDigest !== null && isSameSecret(digestOf(token), share.tokenDigest)) return true
  if (dependencies.permanentTokens && isSameSecret(token, permanentTokenOf(dependencies, share))) return true
  const window = Number.parseInt(token.split('.', 1).join(), 36)
  const current = Math.floor(dependencies.nowMs() / tokenWindowMs)
  const isCurrent = window > current && window <= current + validWindows
  return isCurrent && isSameSecret(token, windowTokenOf(dependencies, share, window))
}
