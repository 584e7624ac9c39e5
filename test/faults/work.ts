import path from 'node:path'
import type { RunningServer } from '../kit/run-server.ts'

/** What somebody asks for again and again until the server dies under them, and what may be found afterwards. */
export type Work = {
  readonly name: string
  /** Its folder inside that of the round; nothing else works there. */
  readonly place: string
  /** Puts on the disk what it begins with. */
  readonly prepare: (disk: string) => Promise<unknown>
  /** Asks for the n-th change; true when the server said that it is done. */
  readonly ask: (client: Client, n: number) => Promise<boolean>
  /**
   * How many of the changes can be seen, or a sentence about what is neither before nor after. `done` were answered; one more may
   * be there.
   */
  readonly look: (client: Client, done: number) => Promise<number | string>
}

export type Client = {
  readonly server: RunningServer
  readonly token: string
  readonly userId: number
  /** Somebody whose password changes. */
  readonly otherId: number
  /** The folder of this round, inside the served one. */
  readonly folder: string
  /** What works remember of this round, by names of their own. */
  readonly notes: Map<string, number>
}

/** Where a work has its files, on the disk and in addresses. */
export const diskOf = ({ server, folder }: Client, { place }: Pick<Work, 'place'>): string =>
  path.join(server.folder, folder, place)
export const pathOf = ({ folder }: Client, { place }: Pick<Work, 'place'>): string => `/${folder}/${place}`

export type Wish = {
  readonly address: string
  readonly body?: string | Buffer<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer that has come to its end. */
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: Buffer }

/** Sends a request; null when the server was gone before it had answered. */
export async function send(
  { server, token }: Client,
  method: string,
  { address, body = null, headers = {} }: { readonly body?: Wish['body'] | null } & Omit<Wish, 'body'>,
): Promise<Answer | null> {
  try {
    const reply = await fetch(server.url + address, {
      method,
      headers: { 'x-auth': token, ...headers },
      body,
    })
    return { status: reply.status, headers: reply.headers, body: Buffer.from(await reply.arrayBuffer()) }
  } catch {
    return null
  }
}

/** Sends a request that must not be refused; false when the server was gone before it had answered. */
export async function ask(client: Client, method: string, wish: Wish): Promise<boolean> {
  const answer = await send(client, method, wish)
  if (answer === null) return false
  if (answer.status >= 300)
    throw new Error(`${method} ${wish.address}: ${answer.status} ${answer.body.toString('utf8')}`)
  return true
}

/** The JSON of an address; throws what is no answer. */
export async function read<T>(client: Client, address: string): Promise<T> {
  const answer = await send(client, 'GET', { address })
  if (answer?.status !== 200) throw new Error(`GET ${address}: ${answer?.status ?? 'no answer'}`)
  return JSON.parse(answer.body.toString('utf8')) as T
}

/** Bytes that tell which they are, from the first to the last. */
export const bytesOf = (label: string, sizeBytes: number): Buffer<ArrayBuffer> =>
  Buffer.alloc(sizeBytes, `${label};`)
