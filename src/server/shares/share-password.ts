import { createHmac } from 'node:crypto'
import { sharePasswordHeader } from '../../shared/contract/shares.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Throttle } from '../auth/throttle.ts'
import { digestOf, isSameSecret } from '../auth/tokens.ts'
import type { ShareRecord } from '../records/port.ts'

export type SharePasswordDependencies = {
  /** The key that signs tokens. */
  readonly key: Uint8Array
  readonly verifyPassword: (password: string, hash: string) => Promise<boolean>
  /** Counts wrong passwords by share and network. */
  readonly throttlePasswords: Throttle
}

/** The credentials of a guest. */
export type GuestCredentials = {
  readonly token: string | undefined
  readonly header: (name: string) => string | undefined
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
  const passwords = passwordCandidates(proof.header(sharePasswordHeader) ?? '')
  if (passwords.length === 0) throw new AppError('not-signed-in')
  const who = { account: share.hash, address: proof.address }
  const isRight = await dependencies.throttlePasswords(who, async () => {
    for (const password of passwords)
      if (await dependencies.verifyPassword(password, passwordHash)) return true
    return null
  })
  if (isRight === null) throw new AppError('not-signed-in')
}

/**
 * Returns the token that replaces the share's password, or null for a share without a password. The token is derived
 * from the hashes of the share and of its password, so that it is invalid after the password changes. It is not stored.
 */
export const shareTokenOf = (
  { key }: Pick<SharePasswordDependencies, 'key'>,
  { hash, passwordHash }: ShareRecord,
): string | null =>
  passwordHash === null
    ? null
    : createHmac('sha256', key).update(`share\0${hash}\0${passwordHash}`).digest('base64url')

function isShareToken(dependencies: SharePasswordDependencies, share: ShareRecord, token: string): boolean {
  const own = shareTokenOf(dependencies, share)
  if (token === '' || own === null) return false
  const digest = digestOf(token)
  const isTakenOver = share.tokenDigest !== null && isSameSecret(digest, share.tokenDigest)
  return isSameSecret(token, own) || isTakenOver
}

/**
 * Returns the distinct passwords that a header may represent: its bytes as they are, and its percent-decoded text,
 * because newer clients encode the password (A13). Node decodes a header as Latin-1, so its UTF-8 bytes are restored
 * first.
 */
function passwordCandidates(header: string): string[] {
  const bytes = Buffer.from(header, 'latin1').toString('utf8')
  const all = [bytes.isWellFormed() && !bytes.includes('\uFFFD') ? bytes : header, decoded(header)]
  return [...new Set(all)].filter((text) => text !== '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
