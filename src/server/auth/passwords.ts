import { AppError } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import { byteLength } from '../../shared/domain/name-bytes.ts'
import { createTurns, inTurn } from '../turns/turns.ts'
import { createPool } from '../workers/pool.ts'
import { hashArgon2id, readArgon2id, verifyArgon2id, wantedCost, type Derive } from './argon2id.ts'

/** Hashing and checking, a few at a time (security 3.8): all of it may throw `overloaded`. */
export type Passwords = {
  /** `bad-request` for a password that cannot be hashed: with NUL, or over 1024 bytes. */
  hash(password: string): Promise<string>
  /** Against `$argon2id$…` or `$2a$…`, `$2b$…`, `$2y$…`; false for every other kind of hash. */
  verify(password: string, hash: string): Promise<boolean>
  /** Takes as long as checking a password, and gives false: for names that nobody has. */
  verifyNobody(password: string): Promise<false>
  /** Whether a hash is weaker than those made now. */
  needsRehash(hash: string): boolean
  /** Stops its threads. Repeatable. */
  close(): Promise<void>
}

type PasswordNeeds = {
  readonly randomBytes: (count: number) => Uint8Array
  readonly atOnce?: number
  readonly waiting?: number
}

const saltBytes = 16
const bcryptMark = /^\$2[aby]\$(0[4-9]|1[0-5])\$/

export function createPasswords({ randomBytes, atOnce = 2, waiting = 64 }: PasswordNeeds): Passwords {
  const turns = createTurns({ atOnce, mostWaiting: waiting, refusal: 'overloaded' })
  const hashing = { turns, line: 'hashing' }
  const threads = createPool({ entry: new URL('./argon2-thread.ts', import.meta.url), size: atOnce })
  const derive: Derive = (derivation) => threads.run('argon2id', derivation)

  return {
    async hash(password) {
      const fault = faultOfText(password)
      if (fault !== null) throw new AppError('bad-request', { reason: fault })
      return inTurn(hashing, () => hashArgon2id(derive, password, randomBytes(saltBytes)))
    },
    async verify(password, hash) {
      if (faultOfText(password) !== null) return false
      if (bcryptMark.test(hash)) return inTurn(hashing, () => verifyBcrypt(password, hash))
      return inTurn(hashing, () => verifyArgon2id(derive, password, hash))
    },
    async verifyNobody(password) {
      if (faultOfText(password) === null)
        await inTurn(hashing, () => hashArgon2id(derive, password, randomBytes(saltBytes)))
      return false
    },
    needsRehash(hash) {
      const cost = readArgon2id(hash)
      return cost === null || cost.memoryKib < wantedCost.memoryKib || cost.passes < wantedCost.passes
    },
    close: () => threads.close(),
  }
}

/** Only what was taken over has such hashes; most servers never load the library. */
async function verifyBcrypt(password: string, hash: string): Promise<boolean> {
  const { verify } = await import('@node-rs/bcrypt')
  return verify(password, hash)
}

/** Whether a text is a hash that {@link Passwords.verify} can check. */
export const isPasswordHash = (text: string): boolean =>
  readArgon2id(text) !== null || (bcryptMark.test(text) && text.length === 60)

/** Why a text can be no password at all, whatever the policy. Some bcrypt stop at NUL, so two passwords would be one. */
export function faultOfText(password: string): string | null {
  if (password.includes('\0') || !password.isWellFormed())
    return 'the password holds a character that none may'
  return byteLength(password) > limits.passwordBytes ? 'the password is too long' : null
}
