import { argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

export type Cost = { readonly memoryKib: number; readonly passes: number; readonly lanes: number }

type Hash = Cost & { readonly salt: Buffer; readonly tag: Buffer }

/** What new hashes cost: 19 MiB, two passes, one lane (security 3.9). */
export const wantedCost: Cost = { memoryKib: 19_456, passes: 2, lanes: 1 }

const tagBytes = 32
const written =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,172})$/
const mostMemoryKib = 1024 * 1024

const derive = promisify(argon2)

/** The hash of a password in its own notation: `$argon2id$v=19$m=…,t=…,p=…$salt$tag`. Runs off the main thread. */
export async function hashArgon2id(password: string, salt: Uint8Array): Promise<string> {
  const { memoryKib, passes, lanes } = wantedCost
  const tag = await tagOf(password, { ...wantedCost, salt: Buffer.from(salt) }, tagBytes)
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$${unpadded(salt)}$${unpadded(tag)}`
}

/** False for what is no such hash, or one of parameters that nobody sensible chooses. */
export async function verifyArgon2id(password: string, text: string): Promise<boolean> {
  const hash = readArgon2id(text)
  if (hash === null) return false
  return timingSafeEqual(await tagOf(password, hash, hash.tag.length), hash.tag)
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

const tagOf = (
  password: string,
  { salt, ...cost }: Cost & { readonly salt: Buffer },
  tagLength: number,
): Promise<Buffer> =>
  derive('argon2id', {
    message: password,
    nonce: salt,
    parallelism: cost.lanes,
    memory: cost.memoryKib,
    passes: cost.passes,
    tagLength,
  })

const unpadded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replaceAll('=', '')
