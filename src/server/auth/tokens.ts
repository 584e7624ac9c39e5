import { createHash, createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { TokenUser } from '../../shared/contract/users.ts'
import type { User } from '../records/port.ts'

/** What a token says. Only `jti` leads anywhere, and only `user.id` is compared; the rest informs the client (contract 2.1). */
export type TokenClaims = {
  readonly user: TokenUser
  /** Whole seconds. */
  readonly exp: number
  readonly iat: number
  readonly iss: string
  /** 256 random bits. Null in tokens of the original, which had none. */
  readonly jti: string | null
  /** By which the store knows it. */
  readonly jtiDigest: string | null
}

/** What is kept of a secret. */
export const digestOf = (secret: string): string => hash('sha256', secret, 'base64url')

/** The one header that is ever made; another text, equal in meaning or not, is refused (security 3.5). */
const header = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')
const issuer = 'File Browser'
/** What clocks of several machines may differ by. */
const clockLeewaySeconds = 60

export type NewToken = {
  readonly user: User
  readonly jti: string
  readonly issuedAtMs: number
  readonly expiresAtMs: number
}

/** A three-part token, signed with HMAC-SHA-256. Times are cut to whole seconds. */
export function signToken(key: Uint8Array, { user, jti, issuedAtMs, expiresAtMs }: NewToken): string {
  const claims = {
    user: tokenUser(user),
    exp: Math.floor(expiresAtMs / 1000),
    iat: Math.floor(issuedAtMs / 1000),
    iss: issuer,
    jti,
  }
  const signed = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return `${signed}.${signatureOf(key, signed).toString('base64url')}`
}

/** The claims of a token whose signature and times are right; null for anything else. Whether it is a login, its session says. */
export function verifyToken(key: Uint8Array, token: string, nowMs: number): TokenClaims | null {
  const claims = signedClaims(key, token)
  return claims !== null && claims.exp > nowMs / 1000 && isIssued(claims, nowMs) ? claims : null
}

/** The claims of a token that is right in everything, but that its time is over. No login by itself. */
export function verifyExpiredToken(key: Uint8Array, token: string, nowMs: number): TokenClaims | null {
  const claims = signedClaims(key, token)
  return claims !== null && claims.exp <= nowMs / 1000 && isIssued(claims, nowMs) ? claims : null
}

export type TokenReader = (token: string, nowMs: number) => TokenClaims | null

/** Nobody has so many tokens at work at once; beyond it all are forgotten. */
const mostKept = 10_000

/**
 * Verifies tokens, and a token that was right once only by its times: who sends the very same text has the same signature. What
 * was wrong is not remembered.
 */
export function createTokenReader(key: Uint8Array): TokenReader {
  const proven = new Map<string, TokenClaims>()
  return (token, nowMs) => {
    const known = proven.get(token)
    if (known !== undefined) return known.exp > nowMs / 1000 && isIssued(known, nowMs) ? known : null
    const claims = verifyToken(key, token, nowMs)
    if (claims === null) return null
    if (proven.size >= mostKept) proven.clear()
    proven.set(token, claims)
    return claims
  }
}

const isIssued = ({ iat }: TokenClaims, nowMs: number): boolean => iat <= nowMs / 1000 + clockLeewaySeconds

function signedClaims(key: Uint8Array, token: string): TokenClaims | null {
  const [head, body, signature, ...more] = token.split('.')
  if (head !== header || body === undefined || signature === undefined || more.length > 0) return null
  const [content, given] = [canonicalBytes(body), canonicalBytes(signature)]
  if (content === null || given === null) return null
  if (!isSame(given, signatureOf(key, `${head}.${body}`))) return null
  return claimsOf(content)
}

const signatureOf = (key: Uint8Array, signed: string): Buffer =>
  createHmac('sha256', key).update(signed).digest()

/** Compared over digests, so that neither length nor content shows in the time taken. */
const isSame = (a: Uint8Array, b: Uint8Array): boolean => timingSafeEqual(sha256(a), sha256(b))

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** Null unless this text is the only way to write its bytes. */
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

/** Never scope, rules, sorting or password. */
const tokenUser = (user: User): TokenUser => ({
  id: user.id,
  username: user.username,
  locale: user.locale,
  viewMode: user.viewMode,
  singleClick: user.singleClick,
  redirectAfterCopyMove: user.redirectAfterCopyMove,
  perm: user.perm,
  commands: user.commands,
  lockPassword: user.lockPassword,
  hideDotfiles: user.hideDotfiles,
  dateFormat: user.dateFormat,
  aceEditorTheme: user.aceEditorTheme,
})
