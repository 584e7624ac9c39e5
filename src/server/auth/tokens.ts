import { createBoundedMap } from '../concurrency/bounded-map.ts'
import { createHash, createHmac, hash, timingSafeEqual } from 'node:crypto'
import { pickMembers } from '../../shared/contract/fields/fields.ts'
import { tokenFieldNames } from '../../shared/contract/fields/user-fields.ts'
import type { TokenUser } from '../../shared/contract/users.ts'
import type { Account } from '../records/user-store.ts'

/**
 * The content of a token. Only `jti` identifies the session, and only `user.id` is compared; everything else is
 * information for the client (contract 2.1).
 */
export type TokenClaims = {
  readonly user: TokenUser
  /** The time of expiry, in whole seconds since 1970. */
  readonly exp: number
  readonly iat: number
  readonly iss: string
  /**
   * The secret that identifies the session: 256 random bits. Null for tokens of File Browser, which have no
   * jti.
   */
  readonly jti: string | null
  /**
   * SHA-256 of the token's jti, the key of its session row. Null for tokens of File Browser, which have no jti.
   */
  readonly jtiDigest: string | null
}

/** Returns the SHA-256 digest of a secret. The records contain only the digest, never the secret. */
export const digestOf = (secret: string): string => hash('sha256', secret, 'base64url')

/**
 * The header of every token that this program signs. A token with any other header is refused, even if that header is
 * equivalent (security 3.5).
 */
const header = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')
const issuer = 'File Browser'
/** Maximum tolerated difference between the clocks of several machines. */
const clockLeewaySeconds = 60

export type NewToken = {
  readonly user: Account
  readonly jti: string
  readonly issuedAtMs: number
  readonly expiresAtMs: number
}

/** Returns a JSON Web Token that is signed with HMAC-SHA-256. Times are truncated to whole seconds. */
export function signToken(key: Uint8Array, { user, jti, issuedAtMs, expiresAtMs }: NewToken): string {
  const claims = {
    user: tokenUserOf(user),
    exp: Math.floor(expiresAtMs / 1000),
    iat: Math.floor(issuedAtMs / 1000),
    iss: issuer,
    jti,
  }
  const signed = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return `${signed}.${signatureOf(key, signed).toString('base64url')}`
}

/**
 * Returns the claims of a token with a valid signature and valid times, and null for any other text. The token alone
 * does not log a user in: its session must still exist.
 */
export function verifyToken(key: Uint8Array, token: string, nowMs: number): TokenClaims | null {
  const claims = signedClaims(key, token)
  return claims !== null && claims.exp > nowMs / 1000 && isIssuedBefore(claims, nowMs) ? claims : null
}

/**
 * Returns the claims of a token that has expired but is otherwise valid. An expired token alone does not log a user
 * in.
 */
export function verifyExpiredToken(key: Uint8Array, token: string, nowMs: number): TokenClaims | null {
  const claims = signedClaims(key, token)
  return claims !== null && claims.exp <= nowMs / 1000 && isIssuedBefore(claims, nowMs) ? claims : null
}

export type TokenReader = (token: string, nowMs: number) => TokenClaims | null

/**
 * Capacity of the cache of verified tokens. No server is expected to have more tokens in use at the same time.
 */
const tokenCacheSize = 10_000
/** The characters of all cached tokens together. A token has about a thousand; its size depends on the commands of its user. */
const tokenCacheCharacters = 16 * 1024 * 1024

/**
 * Creates a function that verifies tokens. Tokens with a valid signature are cached by their text, so that later calls
 * check only their times. Invalid tokens are not cached.
 */
export function createTokenReader(key: Uint8Array): TokenReader {
  const verifiedTokens = createBoundedMap<string, TokenClaims>(tokenCacheSize, tokenCacheCharacters)
  return (token, nowMs) => {
    const known = verifiedTokens.get(token)
    if (known !== undefined) return known.exp > nowMs / 1000 && isIssuedBefore(known, nowMs) ? known : null
    const claims = verifyToken(key, token, nowMs)
    if (claims === null) return null
    verifiedTokens.set(token, claims)
    return claims
  }
}

const isIssuedBefore = ({ iat }: TokenClaims, nowMs: number): boolean =>
  iat <= nowMs / 1000 + clockLeewaySeconds

function signedClaims(key: Uint8Array, token: string): TokenClaims | null {
  const [head, body, signature, ...more] = token.split('.')
  if (head !== header || body === undefined || signature === undefined || more.length > 0) return null
  const [content, given] = [canonicalBytes(body), canonicalBytes(signature)]
  if (content === null || given === null) return null
  if (!isSameSecret(given, signatureOf(key, `${head}.${body}`))) return null
  return claimsOf(content)
}

const signatureOf = (key: Uint8Array, signed: string): Buffer =>
  createHmac('sha256', key).update(signed).digest()

/** Compares two secrets by their digests, so that the time taken reveals neither length nor content. */
export const isSameSecret = (a: string | Uint8Array, b: string | Uint8Array): boolean =>
  timingSafeEqual(sha256(a), sha256(b))

const sha256 = (secret: string | Uint8Array): Buffer => createHash('sha256').update(secret).digest()

/** Decodes base64url. Returns null unless the text is the canonical encoding of its bytes. */
function canonicalBytes(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : null
}

function claimsOf(content: Buffer): TokenClaims | null {
  const claims = parsed(content)
  if (!isObject(claims) || !isObject(claims['user'])) return null
  const { exp, iat, iss, user } = claims
  const jti = typeof claims['jti'] === 'string' && claims['jti'] !== '' ? claims['jti'] : null
  if (!Number.isSafeInteger(exp) || !Number.isSafeInteger(iat) || !Number.isSafeInteger(user['id']))
    return null
  return {
    user: user as unknown as TokenUser,
    exp: exp as number,
    iat: iat as number,
    iss: typeof iss === 'string' ? iss : '',
    jti,
    jtiDigest: jti === null ? null : digestOf(jti),
  }
}

function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'))
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the fields of a user that a token contains. A token never contains scope, rules, sorting or password. */
export const tokenUserOf = (user: Account): TokenUser => ({
  id: user.id,
  username: user.username,
  ...pickMembers(user, tokenFieldNames),
})
