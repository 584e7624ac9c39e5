import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { RunningServer } from '../kit/run-server.ts'

/** The IP address of the attackers. Requests that check the server come from another address. */
export const elsewhere = '127.0.0.2'

export const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export type Attacker = {
  readonly socket: Socket
  readonly heard: () => string
  readonly isGone: () => boolean
}

/** Opens a connection from the attackers' address and sends `text` on it. */
export function attacker(port: number, text = '', localAddress = elsewhere): Attacker {
  let heard = ''
  let isGone = false
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.setEncoding('latin1').on('data', (chunk: string) => (heard += chunk.slice(0, 1000)))
  socket.on('error', () => undefined).once('close', () => (isGone = true))
  if (text !== '') socket.write(text, 'latin1')
  return { socket, heard: () => heard, isGone: () => isGone }
}

export const endAll = (attackers: readonly Attacker[]): void =>
  attackers.forEach(({ socket }) => socket.destroy())

export type AttackRequest = {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly from?: string
}

/**
 * Sends a request from the attackers' address and reads the response to its end. Returns the status of the response, or 0
 * when the connection broke.
 */
export const statusOf = (
  server: Pick<RunningServer, 'port'>,
  { path, method = 'GET', headers, body, from }: AttackRequest,
): Promise<number> =>
  new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const asked = request(
      {
        host: '127.0.0.1',
        port: server.port,
        path,
        method,
        localAddress: from ?? elsewhere,
        agent: false,
        // The server reads the whole body of a client that keeps its connection open.
        headers: { connection: 'keep-alive', ...length, ...headers },
      },
      (response) => {
        response.on('error', () => resolve(0))
        response.resume().once('end', () => {
          resolve(response.statusCode ?? 0)
          asked.destroy()
        })
      },
    )
    asked.once('error', () => resolve(0)).end(body)
  })

export type SiegeMeasurements = {
  /**
   * The longest duration of a `/health` request, measured as the processor time in ms that the server's main thread
   * used during the request. This figure does not depend on other load on the machine.
   */
  readonly slowestMs: number
  /**
   * The median duration of an ordinary request of another user, in ms of elapsed time, because worker threads do a part
   * of the work. The median is used because a pause of the machine delays few requests, while a blocked server delays
   * most requests.
   */
  readonly usualMs: number
  /** The peak of the server's resident memory during the attack, in bytes. */
  readonly peakBytes: number
}

/**
 * Sends a `/health` request and an ordinary request every 100 ms during an attack, and once after it. Returns the
 * measurements.
 */
export async function besiege(
  server: RunningServer,
  attack: () => Promise<unknown>,
  ordinary: AttackRequest = { path: '/health' },
): Promise<SiegeMeasurements> {
  await forgetPeak(server.pid())
  const asking = askRepeatedly(server, ordinary)
  try {
    await attack()
  } finally {
    await asking.stop()
  }
  return { ...asking.waits(), peakBytes: await peakOf(server.pid()) }
}

const here = '127.0.0.1'

function askRepeatedly(server: RunningServer, ordinary: AttackRequest) {
  const tookMs: number[] = []
  const asked: Promise<void>[] = []
  let slowestMs = 0
  let failure: Error | null = null
  const get = async (call: AttackRequest): Promise<void> => {
    const status = await statusOf(server, { ...call, from: here })
    if (status !== 200) failure ??= new Error(`${call.path} answers ${status}`)
  }
  const askHealth = async (): Promise<void> => {
    const startMs = workedMs(server.pid())
    await get({ path: '/health' })
    slowestMs = Math.max(slowestMs, workedMs(server.pid()) - startMs)
  }
  const askOrdinary = async (): Promise<void> => {
    const startMs = performance.now()
    await get(ordinary)
    tookMs.push(performance.now() - startMs)
  }
  const ask = (): void => void asked.push(askHealth(), askOrdinary())
  ask()
  const timer = setInterval(ask, 100)
  return {
    waits: () => ({ slowestMs, usualMs: medianOf(tookMs) }),
    async stop() {
      clearInterval(timer)
      ask()
      await Promise.all(asked)
      if (failure !== null) throw new Error('not all is well', { cause: failure })
    },
  }
}

const medianOf = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const tickMs = 10

/** Returns the processor time that the main thread of a process has used (user and system), in ms. */
function workedMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * tickMs
}

const forgetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5')

async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) * 1024
}
