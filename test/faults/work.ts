import path from 'node:path'
import type { RunningServer } from '../kit/run-server.ts'

/**
 * One kind of change that a client requests repeatedly until the server is killed, with the check of the state
 * afterwards.
 */
export type Work = {
  readonly name: string
  /** The folder of this work inside the folder of the round. No other work uses it. */
  readonly place: string
  /** Creates the files that the work begins with. */
  readonly prepare: (disk: string) => Promise<unknown>
  /** Requests the n-th change. Returns true when the server answered that it is done. */
  readonly ask: (client: Client, n: number) => Promise<boolean>
  /**
   * Returns the number of changes that took effect, or a sentence about a state that is neither the one before nor
   * the one after a change. `done` changes were answered; one more may have taken effect.
   */
  readonly look: (client: Client, done: number) => Promise<number | string>
}

export type Client = {
  readonly server: RunningServer
  readonly token: string
  readonly userId: number
  /** The id of a user whose password changes. */
  readonly otherId: number
  /** The folder of this round inside the served folder. */
  readonly folder: string
  /** Numbers that works store during the round, under names of their own. */
  readonly notes: Map<string, number>
}

/** Returns the folder of a work on the disk; `addressOf` returns it in addresses. */
export const diskOf = ({ server, folder }: Client, { place }: Pick<Work, 'place'>): string =>
  path.join(server.folder, folder, place)
export const pathOf = ({ folder }: Client, { place }: Pick<Work, 'place'>): string => `/${folder}/${place}`

export type WorkRequest = {
  readonly address: string
  readonly body?: string | Buffer<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer that arrived completely. */
export type CompleteAnswer = { readonly status: number; readonly headers: Headers; readonly body: Buffer }

/** Sends a request. Returns null when the server was killed before it had answered. */
export async function send(
  { server, token }: Client,
  method: string,
  {
    address,
    body = null,
    headers = {},
  }: { readonly body?: WorkRequest['body'] | null } & Omit<WorkRequest, 'body'>,
): Promise<CompleteAnswer | null> {
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

/** Sends a request and throws when it is refused. Returns false when the server was killed before it had answered. */
export async function ask(client: Client, method: string, wish: WorkRequest): Promise<boolean> {
  const answer = await send(client, method, wish)
  if (answer === null) return false
  if (answer.status >= 300)
    throw new Error(`${method} ${wish.address}: ${answer.status} ${answer.body.toString('utf8')}`)
  return true
}

/** Returns the JSON of an address. Throws when the answer is no success. */
export async function read<T>(client: Client, address: string): Promise<T> {
  const answer = await send(client, 'GET', { address })
  if (answer?.status !== 200) throw new Error(`GET ${address}: ${answer?.status ?? 'no answer'}`)
  return JSON.parse(answer.body.toString('utf8')) as T
}

/** Returns bytes that repeat a label, so that a mix of two contents is noticed. */
export const bytesOf = (label: string, sizeBytes: number): Buffer<ArrayBuffer> =>
  Buffer.alloc(sizeBytes, `${label};`)
