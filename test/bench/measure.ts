import { spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { request } from 'node:http'

export type Asked = {
  readonly port: number
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Milliseconds until the whole answer is here, and until `untilBytes` of it are. */
export function timeGet({ port, path, headers = {} }: Asked, untilBytes = 1): Promise<Taken> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    let [bytes, firstMs] = [0, 0]
    const asking = request({ host: '127.0.0.1', port, path, headers, agent: false }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${path} answered ${String(answer.statusCode)}`))
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (firstMs === 0 && bytes >= untilBytes) firstMs = performance.now() - start
      })
      answer.on('end', () => resolve({ wholeMs: performance.now() - start, firstMs, bytes }))
    })
    asking.on('error', reject)
    asking.end()
  })
}

/** What a client has taken, how long that took, and how long the first of it. */
export type Taken = { readonly bytes: number; readonly wholeMs: number; readonly firstMs: number }

/** A download, taken by the compiled client, or by Node's where there is none. It ends its connection. */
export async function takeGet(drain: string | null, asked: Asked): Promise<Taken> {
  if (drain === null) return timeGet(asked)
  const head = [
    `GET ${asked.path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: close',
    ...Object.entries(asked.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
  ]
  const run = spawnSync(drain, [String(asked.port)], {
    input: `${head.join('\r\n')}\r\n\r\n`,
    encoding: 'utf8',
  })
  return takenOf(asked.path, run)
}

/** The output of a program, in a folder, taken by the compiled client. */
export function takeOutput(drain: string, program: readonly string[], folder: string): Taken {
  const run = spawnSync('sh', ['-c', '"$@" | "$0" -', drain, ...program], { cwd: folder, encoding: 'utf8' })
  return takenOf(program[0]!, run)
}

function takenOf(what: string, run: SpawnSyncReturns<string>): Taken {
  const [bytes, wholeMs, firstMs] = run.stdout.trim().split(' ').map(Number)
  if (run.status !== 0 || !bytes || !wholeMs) throw new Error(`${what} failed: ${run.stdout} ${run.stderr}`)
  return { bytes, wholeMs, firstMs: firstMs ?? wholeMs }
}

/** Bytes a second. */
export const speedOf = ({ bytes, wholeMs }: Taken): number => bytes / (wholeMs / 1000)

/** Bytes a second of a download. */
export const speedOfGet = async (drain: string | null, asked: Asked): Promise<number> =>
  speedOf(await takeGet(drain, asked))

export type Sent = Asked & { readonly method: 'PUT' | 'POST'; readonly sizeBytes: number }

/** Milliseconds to send so many bytes and have the answer. */
export function timeSend({ port, path, headers = {}, method, sizeBytes }: Sent): Promise<number> {
  const chunk = Buffer.alloc(1 << 20, 'stowage ')
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const asking = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        agent: false,
        headers: { ...headers, 'Content-Length': String(sizeBytes) },
      },
      (answer) => {
        answer.resume()
        answer.on('end', () => {
          if ((answer.statusCode ?? 500) >= 300)
            reject(new Error(`${path} answered ${String(answer.statusCode)}`))
          else resolve(performance.now() - start)
        })
      },
    )
    asking.on('error', reject)
    let left = sizeBytes
    const pump = (): void => {
      while (left > 0) {
        const part = left >= chunk.length ? chunk : chunk.subarray(0, left)
        left -= part.length
        if (!asking.write(part)) {
          asking.once('drain', pump)
          return
        }
      }
      asking.end()
    }
    pump()
  })
}
