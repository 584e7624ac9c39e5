import type { SessionRecord } from '../records/session-store.ts'
import type { SessionDependencies } from './sessions.ts'
import { sortableId } from './sortable-id.ts'
import { digestOf, type TokenClaims } from './tokens.ts'

const cookieSecretBytes = 32
/** The latest time that a `Date` can hold, in ms. */
const latestDateMs = 8_640_000_000_000_000

/**
 * Returns the session of a verified token that File Browser issued before its database was taken over. Such a token has
 * no jti, so the digest of the whole token is the key of its session. The first use opens the session, which ends when
 * the token expires. A session that was ended is never opened again (contract 2.1), and the tokens of a user open none after
 * all sessions of the user were ended, for example by a new password.
 */
export async function findByOriginalToken(
  dependencies: SessionDependencies,
  token: string,
  claims: TokenClaims,
): Promise<SessionRecord | null> {
  const { acceptsTokensBeforeMs, sessions, users } = dependencies
  if (acceptsTokensBeforeMs === null || claims.iat * 1000 > acceptsTokensBeforeMs) return null
  const jtiDigest = digestOf(token)
  const known = await sessions.findByJti(jtiDigest)
  if (known !== null) return known
  const user = await users.find(claims.user.id)
  if (user === null || user.isDisabled) return null
  const atMs = dependencies.nowMs()
  const endsAtMs = Math.min(claims.exp * 1000, latestDateMs)
  const ended = await sessions.addOnce({
    id: sortableId(atMs, dependencies.randomBytes),
    userId: user.id,
    createdAtMs: atMs,
    seenAtMs: atMs,
    idleUntilMs: endsAtMs,
    endsAtMs,
    agent: 'File Browser',
    address: '',
    cookieDigest: digestOf(Buffer.from(dependencies.randomBytes(cookieSecretBytes)).toString('base64url')),
    token: { jtiDigest, expiresAtMs: endsAtMs },
  })
  dependencies.ends.announce(ended)
  return sessions.findByJti(jtiDigest)
}
