import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { sharePasswordHeader } from '../../shared/contract/shares.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Throttle } from '../auth/throttle.ts'
import type { Share } from '../records/port.ts'

export type PasswordNeeds = {
  /** What tokens are signed with. */
  readonly key: Uint8Array
  readonly verifyPassword: (password: string, hash: string) => Promise<boolean>
  /** Counts wrong passwords by share and address. */
  readonly throttlePasswords: Throttle
}

/** What a guest brings. */
export type Proof = {
  readonly token: string | undefined
  readonly header: (name: string) => string | undefined
  readonly address: string
}

/**
 * Lets a guest in who brings the token or the password: `not-signed-in` otherwise. Only a wrong password is a try that counts; no
 * password and a wrong token are none (contract 9.6).
 */
export async function requirePassword(needs: PasswordNeeds, share: Share, proof: Proof): Promise<void> {
  const { passwordHash } = share
  if (passwordHash === null || isToken(needs, share, proof.token ?? '')) return
  const passwords = readings(proof.header(sharePasswordHeader) ?? '')
  if (passwords.length === 0) throw new AppError('not-signed-in')
  const who = { account: share.hash, address: proof.address }
  const isRight = await needs.throttlePasswords(who, async () => {
    for (const password of passwords) if (await needs.verifyPassword(password, passwordHash)) return true
    return null
  })
  if (isRight === null) throw new AppError('not-signed-in')
}

/** Good as long as the share has this password; null where it has none. Kept nowhere: it is made anew from both. */
export const tokenOf = ({ key }: Pick<PasswordNeeds, 'key'>, { hash, passwordHash }: Share): string | null =>
  passwordHash === null
    ? null
    : createHmac('sha256', key).update(`share\0${hash}\0${passwordHash}`).digest('base64url')

function isToken(needs: PasswordNeeds, share: Share, token: string): boolean {
  const own = tokenOf(needs, share)
  if (token === '' || own === null) return false
  const digest = createHash('sha256').update(token).digest('base64url')
  const isTakenOver = share.tokenDigest !== null && isSame(digest, share.tokenDigest)
  return isSame(token, own) || isTakenOver
}

/** Compared over digests, so that neither length nor content shows in the time taken. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b))

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * What a header may mean, each once: its bytes as they are, then percent-decoded as newer clients send it (A13). A header comes as
 * Latin-1, whatever its bytes are.
 */
function readings(header: string): string[] {
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
