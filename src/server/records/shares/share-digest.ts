import { createHash } from 'node:crypto'

/** Returns the key under which a share is stored: the SHA-256 of its hash. */
export const shareDigestOf = (hash: string): string => createHash('sha256').update(hash).digest('base64url')
