import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { GetRequest } from './measure.ts'

/** Options of the load client: the request that it repeats, the number of connections, and when the client stops. */
export type LoadTestOptions = GetRequest & {
  readonly method?: string
  readonly body?: string
  readonly connections: number
  /**
   * The total number of calls. To limit the load by its duration, set `seconds` instead. A sequence of `#` in the path
   * is replaced by the number of the call.
   */
  readonly calls?: number
  readonly seconds?: number
}

/**
 * The result of a load test: the number of calls and their durations. `medianMs` is the median duration of a call.
 */
export type LoadTestResult = {
  readonly calls: number
  readonly allMs: number
  readonly medianMs: number
  /** The 99th percentile of the duration of a call. */
  readonly percentile99Ms: number
}

/**
 * Sends a request repeatedly over keep-alive connections. The requests are sent by a compiled C program, because a
 * client in Node would be slower than the measured servers.
 */
export async function runLoad(loadClient: string, options: LoadTestOptions): Promise<LoadTestResult> {
  const { port, connections, calls = 0, seconds = 0 } = options
  const child = spawn(loadClient, [port, connections, calls, seconds].map(String))
  let [output, errorOutput] = ['', '']
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (errorOutput += text))
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.stdin.end(requestOf(options))
  if ((await ended) !== 0) throw new Error(`${options.path} failed under load: ${errorOutput}`)
  const [completedCalls = 0, allMs = 0, medianUs = 0, percentile99Us = 0] = output.split(' ').map(Number)
  return { calls: completedCalls, allMs, medianMs: medianUs / 1000, percentile99Ms: percentile99Us / 1000 }
}

function requestOf({ method = 'GET', path, headers = {}, body }: LoadTestOptions): string {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...headerLines, ...length, '', body ?? ''].join(
    '\r\n',
  )
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
