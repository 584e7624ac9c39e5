import { argon2Sync } from 'node:crypto'
import { serve } from '../workers/serve.ts'
import type { Derivation } from './argon2id.ts'

/**
 * The hashes run in threads of their own. Each hash fills 19 MiB, and a thread keeps the memory that it has freed: in
 * Node's pool of 64 threads, which take turns, the memory grew to 800 MB after some hundred logins. These few threads
 * reuse theirs.
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
