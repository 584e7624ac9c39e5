import { argon2Sync } from 'node:crypto'
import { serve } from '../workers/serve.ts'
import type { Derivation } from './argon2id.ts'

/**
 * Each hash fills 19 MiB, and what was freed stays with the thread that had it: in Node's own 64 threads, by turns, that came to 800 MB
 * after some hundred logins. These keep theirs, and use them again.
 */
serve({
  argon2id: ({ message, salt, cost, tagLength }: Derivation): Uint8Array =>
    argon2Sync('argon2id', {
      message,
      nonce: salt,
      parallelism: cost.lanes,
      memory: cost.memoryKib,
      passes: cost.passes,
      tagLength,
    }),
})
