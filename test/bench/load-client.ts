import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { GetRequest } from './measure.ts'

/** Options of the load client: the repeated request, the number of connections, and when the client stops. */
export type LoadOptions = GetRequest & {
  readonly method?: string
  readonly body?: string
  readonly connections: number
  /**
   * The total number of calls. `seconds` is the duration of the load instead. A sequence of `#` in the path is replaced
   * by the number of the call.
   */
  readonly calls?: number
  readonly seconds?: number
}

/**
 * The result of a load client: the number of calls and their durations. `middleMs` is the median duration of a call.
 */
export type LoadResult = {
  readonly calls: number
  readonly allMs: number
  readonly middleMs: number
  /** The 99th percentile of the duration of a call. */
  readonly slowMs: number
}

/**
 * Sends a request repeatedly over keep-alive connections. The requests are sent by a compiled C program, because a
 * client in Node would be slower than the measured servers.
 */
export async function runLoad(loadClient: string, options: LoadOptions): Promise<LoadResult> {
  const { port, connections, calls = 0, seconds = 0 } = options
  const child = spawn(loadClient, [port, connections, calls, seconds].map(String))
  let [output, complaint] = ['', '']
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (complaint += text))
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.stdin.end(requestOf(options))
  if ((await ended) !== 0) throw new Error(`${options.path} could not be asked often: ${complaint}`)
  const [answered = 0, allMs = 0, middle = 0, slow = 0] = output.split(' ').map(Number)
  return { calls: answered, allMs, middleMs: middle / 1000, slowMs: slow / 1000 }
}

function requestOf({ method = 'GET', path, headers = {}, body }: LoadOptions): string {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  const named = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...named, ...length, '', body ?? ''].join('\r\n')
}

/** The unit of processor times in `/proc/PID/stat`: 1/100 s on Linux. */
const ticksPerSecond = 100

/**
 * Returns the processor time that a process has used so far in all its threads, in ms. `NaN` on systems without
 * `/proc`.
 */
export function cpuTimeMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
  } catch {
    return Number.NaN
  }
}

/** Returns the resident memory of a process in bytes. `NaN` on systems without `/proc`. */
export function memoryBytes(pid: number): number {
  try {
    const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(line?.[1]) * 1024
  } catch {
    return Number.NaN
  }
}
