import { AppError } from '../../../shared/domain/failure.ts'
import { isPasswordHash } from '../../auth/passwords.ts'

/** A line of a htpasswd file that names a user: the hash of the password, or the reason why it cannot be used. */
export type HtpasswdLine = {
  /** The number of the line; the first line has the number 1. */
  readonly line: number
  readonly username: string
} & ({ readonly passwordHash: string } | { readonly reason: string })

/** The content of a htpasswd file. */
export type HtpasswdFile = {
  readonly lines: readonly HtpasswdLine[]
  /** A sentence about each line that names no user. */
  readonly damaged: readonly string[]
  readonly encoding: 'UTF-8' | 'Latin-1'
}

/** Maximum size of a htpasswd file. A line has about 80 bytes, so the limit allows about 200,000 users. */
export const maxHtpasswdBytes = 16 * 1024 * 1024

/**
 * Reads a htpasswd file: a line per user, with the name, a colon and the hash. A further colon begins a comment. Throws
 * `bad-request` for a file in which no line has this form, and for a file that does not contain text.
 */
export function readHtpasswd(content: Buffer, name: string): HtpasswdFile {
  const fault = faultOfText(content)
  if (fault !== null)
    throw new AppError('bad-request', { reason: `${name} is not a htpasswd file: ${fault}` })
  const { text, encoding } = decode(content)
  const parsed = text.split('\n').map((line, at) => parseLine(line, at + 1))
  const lines = parsed.flatMap((line) => (line !== null && typeof line !== 'string' ? [line] : []))
  const damaged = parsed.flatMap((line) => (typeof line === 'string' ? [line] : []))
  if (lines.length === 0 && damaged.length > 0)
    throw new AppError('bad-request', { reason: `${name} is not a htpasswd file` })
  return { lines, damaged, encoding }
}

/** Returns the reason why a file does not contain text in a supported encoding, or null for a file that does. */
function faultOfText(content: Buffer): string | null {
  const mark = content.subarray(0, 2).toString('hex')
  if (mark === 'fffe' || mark === 'feff') return 'it is written in UTF-16; save it as UTF-8'
  return content.includes(0) ? 'it contains a NUL byte' : null
}

/**
 * Decodes a whole file, because a file has one encoding. Every sequence of bytes is Latin-1, so a file counts as Latin-1
 * only when it is not UTF-8.
 */
function decode(content: Buffer): { readonly text: string } & Pick<HtpasswdFile, 'encoding'> {
  try {
    // The decoder also removes a byte order mark.
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(content), encoding: 'UTF-8' }
  } catch {
    const hasMark = content.subarray(0, 3).toString('hex') === 'efbbbf'
    return { text: content.subarray(hasMark ? 3 : 0).toString('latin1'), encoding: 'Latin-1' }
  }
}

/** Returns a line that names a user, a sentence about a damaged line, or null for a line without content. */
function parseLine(text: string, line: number): HtpasswdLine | string | null {
  const content = text.trim()
  if (content === '' || content.startsWith('#')) return null
  const [username, hash] = content.split(':')
  if (hash === undefined) return `Line ${line}: There is no colon after a name.`
  if (username === undefined || username.trim() === '')
    return `Line ${line}: There is no name before the colon.`
  const reason = faultOfHash(hash)
  return { line, username, ...(reason === null ? { passwordHash: hash } : { reason }) }
}

/**
 * The kinds of hashes that are not imported. An attacker who has the file can find the passwords of fast hashes by brute
 * force.
 */
const otherKinds: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^\$apr1\$/, 'an MD5 hash (apr1)'],
  [/^\$1\$/, 'an MD5 hash'],
  [/^\{SHA\}/i, 'a SHA-1 hash'],
  [/^\{SSHA\}/i, 'a salted SHA-1 hash'],
  [/^\$5\$/, 'a SHA-256 crypt hash'],
  [/^\$6\$/, 'a SHA-512 crypt hash'],
  [/^\$(?:7|y|gy)\$/, 'a yescrypt or scrypt hash'],
  [/^[./0-9A-Za-z]{13}$/, 'a crypt hash, or plain text'],
]

/** Returns why a hash cannot be used, or null. The reason does not quote the hash, which may be a plain password. */
function faultOfHash(hash: string): string | null {
  if (hash === '') return 'the password is empty'
  if (/^\$2[aby]\$/.test(hash)) return faultOfBcrypt(hash)
  if (isPasswordHash(hash)) return null
  const kind =
    otherKinds.find(([pattern]) => pattern.test(hash))?.[1] ?? 'plain text or a hash of an unknown kind'
  return `the password is ${kind}, and only bcrypt is brought over (htpasswd -B)`
}

function faultOfBcrypt(hash: string): string | null {
  if (!/^\$2[aby]\$\d\d\$[./0-9A-Za-z]{53}$/.test(hash)) return 'the bcrypt hash is damaged'
  return isPasswordHash(hash) ? null : 'the bcrypt hash has a cost outside of 4 to 15'
}
