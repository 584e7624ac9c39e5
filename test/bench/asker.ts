import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Asked } from './measure.ts'

export type Asking = Asked & {
  readonly method?: string
  readonly body?: string
  readonly connections: number
  /** How many calls in all, or for how long; a run of `#` in the path becomes the number of the call. */
  readonly calls?: number
  readonly seconds?: number
}

export type Heard = {
  readonly calls: number
  readonly allMs: number
  readonly middleMs: number
  /** The slowest of 100. */
  readonly slowMs: number
}

/** Asks again and again over kept connections, by the compiled client: one of Node would be slower than what it measures. */
export async function askOften(asker: string, asking: Asking): Promise<Heard> {
  const { port, connections, calls = 0, seconds = 0 } = asking
  const child = spawn(asker, [port, connections, calls, seconds].map(String))
  let [output, complaint] = ['', '']
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (complaint += text))
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.stdin.end(requestOf(asking))
  if ((await ended) !== 0) throw new Error(`${asking.path} could not be asked often: ${complaint}`)
  const [answered = 0, allMs = 0, middle = 0, slow = 0] = output.split(' ').map(Number)
  return { calls: answered, allMs, middleMs: middle / 1000, slowMs: slow / 1000 }
}

function requestOf({ method = 'GET', path, headers = {}, body }: Asking): string {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  const named = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...named, ...length, '', body ?? ''].join('\r\n')
}

const ticksPerSecond = 100

/** Milliseconds of a processor that a process and its threads have had so far; `NaN` where the system does not tell. */
export function processorMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
  } catch {
    return Number.NaN
  }
}

/** Bytes of memory that a process holds; `NaN` where the system does not tell. */
export function memoryBytes(pid: number): number {
  try {
    const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(line?.[1]) * 1024
  } catch {
    return Number.NaN
  }
}
