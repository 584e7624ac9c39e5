import path from 'node:path'
import type { RunningServer } from '../kit/run-server.ts'

/**
 * A kind of change that a client requests repeatedly until the server is killed, and a check of the state after the
 * kill.
 */
export type Workload = {
  readonly name: string
  /** The folder of this workload inside the folder of the round. Other workloads do not use it. */
  readonly place: string
  /** Creates the initial files of the workload. */
  readonly prepare: (disk: string) => Promise<unknown>
  /** Requests the n-th change. Returns true when the server confirmed the change. */
  readonly ask: (client: WorkloadClient, n: number) => Promise<boolean>
  /**
   * Returns the number of changes that took effect, or a description of the fault when the state is neither the state
   * before a change nor the state after it. `done` is the number of confirmed changes. One more change may have taken
   * effect.
   */
  readonly look: (client: WorkloadClient, done: number) => Promise<number | string>
}

export type WorkloadClient = {
  readonly server: RunningServer
  readonly token: string
  readonly userId: number
  /** The id of the user whose password is changed by a workload. */
  readonly otherId: number
  /** The folder of this round inside the served folder. */
  readonly folder: string
  /** Numbers that workloads store during the round, by names that each workload chooses. */
  readonly notes: Map<string, number>
}

/** Returns the path of a workload's folder on the disk. */
export const diskOf = ({ server, folder }: WorkloadClient, { place }: Pick<Workload, 'place'>): string =>
  path.join(server.folder, folder, place)
export const pathOf = ({ folder }: WorkloadClient, { place }: Pick<Workload, 'place'>): string =>
  `/${folder}/${place}`

export type WorkloadRequest = {
  readonly address: string
  readonly body?: string | Buffer<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

/** A response that was received completely. */
export type CompleteResponse = { readonly status: number; readonly headers: Headers; readonly body: Buffer }

/** Sends a request. Returns null when the server was killed before it had answered. */
export async function send(
  { server, token }: WorkloadClient,
  method: string,
  {
    address,
    body = null,
    headers = {},
  }: { readonly body?: WorkloadRequest['body'] | null } & Omit<WorkloadRequest, 'body'>,
): Promise<CompleteResponse | null> {
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
export async function ask(client: WorkloadClient, method: string, wish: WorkloadRequest): Promise<boolean> {
  const response = await send(client, method, wish)
  if (response === null) return false
  if (response.status >= 300)
    throw new Error(`${method} ${wish.address}: ${response.status} ${response.body.toString('utf8')}`)
  return true
}

/** Requests an address and returns the parsed JSON. Throws when the request fails. */
export async function read<T>(client: WorkloadClient, address: string): Promise<T> {
  const response = await send(client, 'GET', { address })
  if (response?.status !== 200) throw new Error(`GET ${address}: ${response?.status ?? 'no answer'}`)
  return JSON.parse(response.body.toString('utf8')) as T
}

/** Returns bytes that repeat a label, so that a mixture of two contents is detected. */
export const bytesOf = (label: string, sizeBytes: number): Buffer<ArrayBuffer> =>
  Buffer.alloc(sizeBytes, `${label};`)
