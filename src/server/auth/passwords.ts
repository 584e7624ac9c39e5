import { AppError } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import { byteLength } from '../../shared/domain/name-bytes.ts'
import { createKeyedLimiter, runLimited } from '../concurrency/keyed-limiter.ts'
import { createThreadPool } from '../workers/thread-pool.ts'
import { hashArgon2id, readArgon2id, verifyArgon2id, currentCost, type Derive } from './argon2id.ts'

/**
 * Hashes and checks passwords, a few at a time (security 3.8). Every method but the last two may throw `overloaded`.
 */
export type Passwords = {
  /**
   * Hashes a password. Throws `bad-request` for a password that cannot be hashed: one with NUL, or longer than 1024
   * bytes.
   */
  hash(password: string): Promise<string>
  /**
   * Checks a password against an `$argon2id$…`, `$2a$…`, `$2b$…` or `$2y$…` hash; false for every other kind of hash.
   */
  verify(password: string, hash: string): Promise<boolean>
  /** Takes as long as checking a password and returns false. It is used for user names that do not exist. */
  verifyNobody(password: string): Promise<false>
  /** True when a hash is weaker than the hashes made now. */
  needsRehash(hash: string): boolean
  /** Stops the threads. Idempotent. */
  close(): Promise<void>
}

type PasswordOptions = {
  readonly randomBytes: (count: number) => Uint8Array
  readonly atOnce?: number
  readonly waiting?: number
}

const saltBytes = 16
const bcryptPattern = /^\$2[aby]\$(0[4-9]|1[0-5])\$/

export function createPasswords({ randomBytes, atOnce = 2, waiting = 64 }: PasswordOptions): Passwords {
  const limiter = createKeyedLimiter({ maxConcurrent: atOnce, maxQueued: waiting, errorCode: 'overloaded' })
  const hashing = { limiter, key: 'hashing' }
  const threads = createThreadPool({ entry: new URL('./argon2-thread.ts', import.meta.url), size: atOnce })
  const derive: Derive = (derivation) => threads.run('argon2id', derivation)

  return {
    async hash(password) {
      const fault = faultOfPasswordText(password)
      if (fault !== null) throw new AppError('bad-request', { reason: fault })
      return runLimited(hashing, () => hashArgon2id(derive, password, randomBytes(saltBytes)))
    },
    async verify(password, hash) {
      if (faultOfPasswordText(password) !== null) return false
      if (bcryptPattern.test(hash)) return runLimited(hashing, () => verifyBcrypt(password, hash))
      return runLimited(hashing, () => verifyArgon2id(derive, password, hash))
    },
    async verifyNobody(password) {
      if (faultOfPasswordText(password) === null)
        await runLimited(hashing, () => hashArgon2id(derive, password, randomBytes(saltBytes)))
      return false
    },
    needsRehash(hash) {
      const cost = readArgon2id(hash)
      return cost === null || cost.memoryKib < currentCost.memoryKib || cost.passes < currentCost.passes
    },
    close: () => threads.close(),
  }
}

/**
 * Checks a bcrypt hash. The library is loaded on first use: only databases taken over from the original have such
 * hashes.
 */
async function verifyBcrypt(password: string, hash: string): Promise<boolean> {
  const { verify } = await import('@node-rs/bcrypt')
  return verify(password, hash)
}

/** True for a text that is a hash which {@link Passwords.verify} can check. */
export const isPasswordHash = (text: string): boolean =>
  readArgon2id(text) !== null || (bcryptPattern.test(text) && text.length === 60)

/**
 * Returns why a text cannot be a password, whatever the policy, or null when it can. Some implementations of bcrypt
 * stop at NUL, which would make different passwords equal.
 */
export function faultOfPasswordText(password: string): string | null {
  if (password.includes('\0') || !password.isWellFormed())
    return 'the password contains a character that is not allowed'
  return byteLength(password) > limits.passwordBytes ? 'the password is too long' : null
}
