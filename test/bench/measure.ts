import { spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { request } from 'node:http'

/** A GET request to a server on this machine. */
export type GetRequest = {
  readonly port: number
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Downloads a response. Returns the time until the response is complete, and the time until the first `untilBytes`
 * bytes have arrived.
 */
export function timeGet(
  { port, path, headers = {} }: GetRequest,
  untilBytes = 1,
): Promise<DownloadMeasurement> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    let [bytes, firstMs] = [0, 0]
    const outgoing = request({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} answered ${String(response.statusCode)}`))
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (firstMs === 0 && bytes >= untilBytes) firstMs = performance.now() - start
      })
      response.on('end', () => resolve({ wholeMs: performance.now() - start, firstMs, bytes }))
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

/** The size of a download, the time that it took, and the time to its first byte. */
export type DownloadMeasurement = {
  readonly bytes: number
  readonly wholeMs: number
  readonly firstMs: number
}

/**
 * Downloads a response with the compiled client, or with Node's HTTP client when there is no compiler. The connection
 * is closed afterwards.
 */
export async function downloadWith(drain: string | null, target: GetRequest): Promise<DownloadMeasurement> {
  if (drain === null) return timeGet(target)
  const head = [
    `GET ${target.path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: close',
    ...Object.entries(target.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
  ]
  const result = spawnSync(drain, [String(target.port)], {
    input: `${head.join('\r\n')}\r\n\r\n`,
    encoding: 'utf8',
  })
  return downloadOf(target.path, result)
}

/** Runs a program in a folder and reads its output with the compiled client. */
export function readOutputOf(drain: string, program: readonly string[], folder: string): DownloadMeasurement {
  const result = spawnSync('sh', ['-c', '"$@" | "$0" -', drain, ...program], {
    cwd: folder,
    encoding: 'utf8',
  })
  return downloadOf(program[0]!, result)
}

function downloadOf(what: string, result: SpawnSyncReturns<string>): DownloadMeasurement {
  const [bytes, wholeMs, firstMs] = result.stdout.trim().split(' ').map(Number)
  if (result.status !== 0 || !bytes || !wholeMs)
    throw new Error(`${what} failed: ${result.stdout} ${result.stderr}`)
  return { bytes, wholeMs, firstMs: firstMs ?? wholeMs }
}

/** Returns the speed of a download in bytes per second. */
export const speedOf = ({ bytes, wholeMs }: DownloadMeasurement): number => bytes / (wholeMs / 1000)

/** Downloads a response and returns the speed in bytes per second. */
export const speedOfGet = async (drain: string | null, target: GetRequest): Promise<number> =>
  speedOf(await downloadWith(drain, target))

/** An upload request with a body of `sizeBytes` bytes. */
export type UploadRequest = GetRequest & { readonly method: 'PUT' | 'POST'; readonly sizeBytes: number }

/** Uploads a body of `sizeBytes` bytes and returns the time until the response is complete, in ms. */
export function timeSend({ port, path, headers = {}, method, sizeBytes }: UploadRequest): Promise<number> {
  const chunk = Buffer.alloc(1 << 20, 'stowage ')
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        agent: false,
        headers: { ...headers, 'Content-Length': String(sizeBytes) },
      },
      (response) => {
        response.resume()
        response.on('end', () => {
          if ((response.statusCode ?? 500) >= 300)
            reject(new Error(`${path} answered ${String(response.statusCode)}`))
          else resolve(performance.now() - start)
        })
      },
    )
    outgoing.on('error', reject)
    let remainingBytes = sizeBytes
    const pump = (): void => {
      while (remainingBytes > 0) {
        const part = remainingBytes >= chunk.length ? chunk : chunk.subarray(0, remainingBytes)
        remainingBytes -= part.length
        if (!outgoing.write(part)) {
          outgoing.once('drain', pump)
          return
        }
      }
      outgoing.end()
    }
    pump()
  })
}
