import path from 'node:path'
import type { RunningServer } from '../kit/run-server.ts'

/**
 * A kind of change that a client requests repeatedly until the server is killed, and a check of the state after the
 * kill.
 */
export type Workload = {
  readonly name: string
  /** The folder of this workload inside the folder of the round. Other workloads do not use it. */
  readonly folderName: string
  /** Creates the initial files of the workload. */
  readonly prepare: (disk: string) => Promise<unknown>
  /** Requests the n-th change. Returns true when the server confirmed the change. */
  readonly request: (client: WorkloadClient, n: number) => Promise<boolean>
  /**
   * Returns the number of changes that took effect, or a description of the fault when the state is neither the state
   * before a change nor the state after it. `done` is the number of confirmed changes. One more change may have taken
   * effect.
   */
  readonly countChanges: (client: WorkloadClient, done: number) => Promise<number | string>
}

export type WorkloadClient = {
  readonly server: RunningServer
  readonly token: string
  readonly userId: number
  /** The id of the user whose password is changed by a workload. */
  readonly otherId: number
  /** The folder of this round inside the served folder. */
  readonly folder: string
  /** Numbers that workloads store during the round. Each workload chooses the names under which it stores them. */
  readonly notes: Map<string, number>
}

/** Returns the path of a workload's folder on the disk. */
export const diskFolderOf = (
  { server, folder }: WorkloadClient,
  { folderName }: Pick<Workload, 'folderName'>,
): string => path.join(server.folder, folder, folderName)
export const pathOf = ({ folder }: WorkloadClient, { folderName }: Pick<Workload, 'folderName'>): string =>
  `/${folder}/${folderName}`

export type WorkloadRequest = {
  readonly address: string
  readonly body?: string | Buffer<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

/** A response that was received completely. */
export type CompleteResponse = { readonly status: number; readonly headers: Headers; readonly body: Buffer }

/** Sends a request. Returns null when the server was killed before it had responded. */
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
    const response = await fetch(server.url + address, {
      method,
      headers: { 'x-auth': token, ...headers },
      body,
    })
    return {
      status: response.status,
      headers: response.headers,
      body: Buffer.from(await response.arrayBuffer()),
    }
  } catch {
    return null
  }
}

/** Sends a request and throws when it is refused. Returns false when the server was killed before it had responded. */
export async function requestChange(
  client: WorkloadClient,
  method: string,
  workloadRequest: WorkloadRequest,
): Promise<boolean> {
  const response = await send(client, method, workloadRequest)
  if (response === null) return false
  if (response.status >= 300)
    throw new Error(
      `${method} ${workloadRequest.address}: ${response.status} ${response.body.toString('utf8')}`,
    )
  return true
}

/** Requests a URL path and returns the parsed JSON. Throws when the request fails. */
export async function readJson<T>(client: WorkloadClient, address: string): Promise<T> {
  const response = await send(client, 'GET', { address })
  if (response?.status !== 200) throw new Error(`GET ${address}: ${response?.status ?? 'no response'}`)
  return JSON.parse(response.body.toString('utf8')) as T
}

/** Returns bytes that repeat a label, so that a mixture of two contents is detected. */
export const bytesOf = (label: string, sizeBytes: number): Buffer<ArrayBuffer> =>
  Buffer.alloc(sizeBytes, `${label};`)
