import { argon2Sync } from 'node:crypto'
import { compareSync } from 'bcryptjs'
import { serve } from '../workers/serve.ts'
import type { SignaturesOf } from '../workers/task-signatures.ts'
import type { TagDerivationInput } from './argon2id.ts'

export type BcryptInput = { readonly password: string; readonly hash: string }

/**
 * Passwords are hashed in a few dedicated threads. Each hash of Argon2 uses 19 MiB, which glibc returns to the
 * system afterwards because of `limitFreeMemory`. Where it does not, every thread keeps the memory that it has freed: in
 * Node's own pool, where 64 threads take turns, the memory grew to 800 MB after some hundred logins. Bcrypt is computed in JavaScript, which occupies a thread for up to seconds.
 */
const tasks = {
  argon2id: ({ message, salt, cost, tagLength }: TagDerivationInput): Uint8Array =>
    argon2Sync('argon2id', {
      message,
      nonce: salt,
      parallelism: cost.lanes,
      memory: cost.memoryKib,
      passes: cost.passes,
      tagLength,
    }),
  bcrypt: ({ password, hash }: BcryptInput): boolean => compareSync(password, hash),
}

export type PasswordTasks = SignaturesOf<typeof tasks>

serve(tasks)
