import { timingSafeEqual } from 'node:crypto'

export type Cost = { readonly memoryKib: number; readonly passes: number; readonly lanes: number }

type Hash = Cost & { readonly salt: Buffer; readonly tag: Buffer }

/** What a tag is derived from. */
export type Derivation = {
  readonly message: string
  readonly salt: Uint8Array
  readonly cost: Cost
  readonly tagLength: number
}

/** Derives a tag, off the main thread. */
export type Derive = (derivation: Derivation) => Promise<Uint8Array>

/** What new hashes cost: 19 MiB, two passes, one lane (security 3.9). */
export const wantedCost: Cost = { memoryKib: 19_456, passes: 2, lanes: 1 }

const tagBytes = 32
const written =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,172})$/
const mostMemoryKib = 1024 * 1024

/** The hash of a password in its own notation: `$argon2id$v=19$m=…,t=…,p=…$salt$tag`. */
export async function hashArgon2id(derive: Derive, message: string, salt: Uint8Array): Promise<string> {
  const { memoryKib, passes, lanes } = wantedCost
  const tag = await derive({ message, salt, cost: wantedCost, tagLength: tagBytes })
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$${unpadded(salt)}$${unpadded(tag)}`
}

/** False for what is no such hash, or one of parameters that nobody sensible chooses. */
export async function verifyArgon2id(derive: Derive, message: string, text: string): Promise<boolean> {
  const hash = readArgon2id(text)
  if (hash === null) return false
  const { salt, tag, ...cost } = hash
  return timingSafeEqual(await derive({ message, salt, cost, tagLength: tag.length }), tag)
}

/** The parts of a hash; null when it is none. */
export function readArgon2id(text: string): Hash | null {
  const parts = written.exec(text)
  if (parts === null) return null
  const [, memory = '', passes = '', lanes = '', salt = '', tag = ''] = parts
  const cost = { memoryKib: Number(memory), passes: Number(passes), lanes: Number(lanes) }
  const isSensible =
    cost.memoryKib <= mostMemoryKib && cost.passes >= 1 && cost.lanes >= 1 && cost.memoryKib >= 8 * cost.lanes
  return isSensible ? { ...cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') } : null
}

const unpadded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replaceAll('=', '')
