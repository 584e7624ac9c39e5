import { argon2Sync } from 'node:crypto'
import { serve } from '../workers/serve.ts'
import type { TagDerivationInput } from './argon2id.ts'

/**
 * Passwords are hashed in a few dedicated threads. Each hash uses 19 MiB, and every thread keeps the memory that it has
 * freed. In Node's own pool, where 64 threads take turns, the memory grew to 800 MB after some hundred logins. A few
 * dedicated threads reuse their memory.
 */
serve({
  argon2id: ({ message, salt, cost, tagLength }: TagDerivationInput): Uint8Array =>
    argon2Sync('argon2id', {
      message,
      nonce: salt,
      parallelism: cost.lanes,
      memory: cost.memoryKib,
      passes: cost.passes,
      tagLength,
    }),
})
