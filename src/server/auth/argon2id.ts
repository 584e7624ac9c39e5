import { timingSafeEqual } from 'node:crypto'

export type Argon2Cost = { readonly memoryKib: number; readonly passes: number; readonly lanes: number }

type Argon2Hash = Argon2Cost & { readonly salt: Buffer; readonly tag: Buffer }

/** The input from which an Argon2id tag is derived. */
export type TagDerivationInput = {
  readonly message: string
  readonly salt: Uint8Array
  readonly cost: Argon2Cost
  readonly tagLength: number
}

/** Derives a tag in a worker thread. */
export type TagDeriver = (derivation: TagDerivationInput) => Promise<Uint8Array>

/** Cost of new hashes: 19 MiB of memory, two passes, one lane (security 3.9). */
export const currentCost: Argon2Cost = { memoryKib: 19_456, passes: 2, lanes: 1 }

const tagBytes = 32
const argon2idPattern =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,172})$/
const maxMemoryKib = 1024 * 1024

/** Hashes a password and returns the encoded hash: `$argon2id$v=19$m=…,t=…,p=…$salt$tag`. */
export async function hashArgon2id(derive: TagDeriver, message: string, salt: Uint8Array): Promise<string> {
  const { memoryKib, passes, lanes } = currentCost
  const tag = await derive({ message, salt, cost: currentCost, tagLength: tagBytes })
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$${unpadded(salt)}$${unpadded(tag)}`
}

/**
 * Checks a password against an encoded hash. Returns false for a text that is not an encoded hash, or whose parameters
 * are out of the accepted range.
 */
export async function verifyArgon2id(derive: TagDeriver, message: string, text: string): Promise<boolean> {
  const hash = readArgon2id(text)
  if (hash === null) return false
  const { salt, tag, ...cost } = hash
  return timingSafeEqual(await derive({ message, salt, cost, tagLength: tag.length }), tag)
}

/** Parses an encoded hash. Returns null for any other text. */
export function readArgon2id(text: string): Argon2Hash | null {
  const parts = argon2idPattern.exec(text)
  if (parts === null) return null
  const [, memory = '', passes = '', lanes = '', salt = '', tag = ''] = parts
  const cost = { memoryKib: Number(memory), passes: Number(passes), lanes: Number(lanes) }
  const isSensible =
    cost.memoryKib <= maxMemoryKib && cost.passes >= 1 && cost.lanes >= 1 && cost.memoryKib >= 8 * cost.lanes
  return isSensible ? { ...cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') } : null
}

const unpadded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replaceAll('=', '')
