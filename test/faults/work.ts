import type { RunningServer } from '../kit/run-server.ts'

/** What somebody asks for again and again until the server dies under them, and what may be found afterwards. */
export type Work = {
  readonly name: string
  /** Asks for the n-th change; true when the server said that it is done. */
  readonly ask: (client: Client, n: number) => Promise<boolean>
  /**
   * How many of the changes the disk shows, or a sentence about what is neither before nor after. `done` were answered; one more
   * may be there.
   */
  readonly look: (client: Client, done: number) => Promise<number | string>
}

export type Client = {
  readonly server: RunningServer
  readonly token: string
  readonly userId: number
  /** The folder of this round, inside the served one. */
  readonly folder: string
}

/** Sends a request; false when the server was gone before it answered. */
export async function ask(
  { server, token }: Client,
  method: string,
  wish: { readonly address: string; readonly body?: string | Buffer<ArrayBuffer> },
): Promise<boolean> {
  const { address, body = null } = wish
  const reply = await fetch(server.url + address, { method, headers: { 'x-auth': token }, body }).catch(
    () => null,
  )
  if (reply === null) return false
  const text = await reply.text().catch(() => null)
  if (text === null) return false
  if (reply.status !== 200) throw new Error(`${method} ${address}: ${reply.status} ${text}`)
  return true
}

/** Bytes that tell which they are, from the first to the last. */
export const bytesOf = (label: string, sizeBytes: number): Buffer<ArrayBuffer> =>
  Buffer.alloc(sizeBytes, `${label};`)
