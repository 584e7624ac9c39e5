import { AppError } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import { byteLength } from '../../shared/domain/name-bytes.ts'
import { createKeyedLimiter, runLimited } from '../concurrency/keyed-limiter.ts'
import { createThreadPool, type ThreadPool } from '../workers/thread-pool.ts'
import { hashArgon2id, readArgon2id, verifyArgon2id, currentCost, type TagDeriver } from './argon2id.ts'
import type { PasswordTasks } from './password-thread.ts'

/**
 * Hashes and verifies passwords. Only a few passwords are processed concurrently (security 3.8). All methods except
 * `needsRehash` and `close` may throw `overloaded`.
 */
export type PasswordHasher = {
  /** Hashes a password. Throws `bad-request` for a password that contains NUL or is longer than 1024 bytes. */
  hash(password: string): Promise<string>
  /**
   * Checks a password against an `$argon2id$…`, `$2a$…`, `$2b$…` or `$2y$…` hash. Returns false for every other kind of
   * hash.
   */
  verify(password: string, hash: string): Promise<boolean>
  /**
   * Returns false after the time that `verify` takes. It is called for unknown user names, so that the response time
   * does not reveal them.
   */
  verifyNobody(password: string): Promise<false>
  /** Returns true for a hash that is weaker than the hashes that `hash` creates now. */
  needsRehash(hash: string): boolean
  /** Stops the threads. Idempotent. */
  close(): Promise<void>
}

/** The threads that compute hashes. */
export type PasswordThreads = ThreadPool<PasswordTasks>

type PasswordOptions = {
  readonly randomBytes: (count: number) => Uint8Array
  readonly concurrency?: number
  readonly waiting?: number
  /** The interval in ms at which threads without work are looked for. */
  readonly idleCheckMs?: number | undefined
  /** The hasher starts its own threads unless a test provides them. */
  readonly threads?: PasswordThreads | undefined
}

/** Number of hashes that are computed concurrently unless an option changes it. */
const defaultConcurrency = 2

const saltBytes = 16
const bcryptPattern = /^\$2[aby]\$(0[4-9]|1[0-5])\$/

/** Creates the threads that compute hashes. */
export const createPasswordThreads = (size = defaultConcurrency, idleCheckMs?: number): PasswordThreads =>
  createThreadPool<PasswordTasks>({
    entry: new URL('./password-thread.ts', import.meta.url),
    size,
    idleCheckMs,
  })

export function createPasswords({
  randomBytes,
  concurrency: atOnce = defaultConcurrency,
  waiting = 64,
  idleCheckMs,
  threads = createPasswordThreads(atOnce, idleCheckMs),
}: PasswordOptions): PasswordHasher {
  const limiter = createKeyedLimiter({ maxConcurrent: atOnce, maxQueued: waiting, errorCode: 'overloaded' })
  const hashing = { limiter, key: 'hashing' }
  const derive: TagDeriver = (derivation) => threads.run('argon2id', derivation)
  const verifyBcrypt = (password: string, hash: string): Promise<boolean> =>
    threads.run('bcrypt', { password, hash })

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

/** Returns true for a hash of a kind that {@link PasswordHasher.verify} supports. */
export const isPasswordHash = (text: string): boolean =>
  readArgon2id(text) !== null || (bcryptPattern.test(text) && text.length === 60)

/**
 * Returns the reason why a text cannot be a password under any policy, or null when it can. NUL is refused because some
 * implementations of bcrypt stop reading there, so that different passwords would be equal.
 */
export function faultOfPasswordText(password: string): string | null {
  if (password.includes('\0') || !password.isWellFormed())
    return 'the password contains a character that is not allowed'
  return byteLength(password) > limits.passwordBytes ? 'the password is too long' : null
}
