import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { RunningServer } from '../kit/run-server.ts'

/**
 * The number of processes that serve. `FB_PROCESSES=2` lets the attacks run on servers with two. Each process counts by itself
 * what only protects its own memory and time (`docs/bounds.md`).
 */
export const servingProcesses = Number(process.env['FB_PROCESSES'] ?? 1)

/** The IP address of the attackers. Requests that check the server come from another address. */
export const attackerAddress = '127.0.0.2'

export const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export type AttackerConnection = {
  readonly socket: Socket
  readonly receivedText: () => string
  readonly isClosed: () => boolean
}

/** Opens a connection from the attackers' address and sends the string `text` on it. */
export function openAttacker(port: number, text = '', localAddress = attackerAddress): AttackerConnection {
  let receivedText = ''
  let isClosed = false
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.setEncoding('latin1').on('data', (chunk: string) => (receivedText += chunk.slice(0, 1000)))
  socket.on('error', () => undefined).once('close', () => (isClosed = true))
  if (text !== '') socket.write(text, 'latin1')
  return { socket, receivedText: () => receivedText, isClosed: () => isClosed }
}

export const closeAll = (attackers: readonly AttackerConnection[]): void =>
  attackers.forEach(({ socket }) => socket.destroy())

export type AttackRequest = {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly from?: string
}

/**
 * Sends a request from the attackers' address and reads the complete response. Returns the status of the response, or 0
 * when the connection broke.
 */
export const statusOf = (
  server: Pick<RunningServer, 'port'>,
  { path, method = 'GET', headers, body, from }: AttackRequest,
): Promise<number> =>
  new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: server.port,
        path,
        method,
        localAddress: from ?? attackerAddress,
        agent: false,
        // The server reads the whole body of a client that keeps its connection open.
        headers: { connection: 'keep-alive', ...length, ...headers },
      },
      (response) => {
        response.on('error', () => resolve(0))
        response.resume().once('end', () => {
          resolve(response.statusCode ?? 0)
          outgoing.destroy()
        })
      },
    )
    outgoing.once('error', () => resolve(0)).end(body)
  })

export type AttackMeasurements = {
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
  readonly medianMs: number
  /** The peak of the server's resident memory during the attack, in bytes. */
  readonly peakBytes: number
}

/**
 * Sends a `/health` request and an ordinary request every 100 ms during an attack, and once after it. Returns the
 * measurements.
 */
export async function measureAttack(
  server: RunningServer,
  attack: () => Promise<unknown>,
  ordinary: AttackRequest = { path: '/health' },
): Promise<AttackMeasurements> {
  await resetPeakMemory(server.pid())
  const probes = probeRepeatedly(server, ordinary)
  try {
    await attack()
  } finally {
    await probes.stop()
  }
  return { ...probes.measurements(), peakBytes: await peakMemoryOf(server.pid()) }
}

const ordinaryAddress = '127.0.0.1'

function probeRepeatedly(server: RunningServer, ordinary: AttackRequest) {
  const tookMs: number[] = []
  const outgoing: Promise<void>[] = []
  let slowestMs = 0
  let failure: Error | null = null
  const expectSuccess = async (call: AttackRequest): Promise<void> => {
    const status = await statusOf(server, { ...call, from: ordinaryAddress })
    if (status !== 200) failure ??= new Error(`${call.path} answers ${status}`)
  }
  const probeHealth = async (): Promise<void> => {
    const startMs = mainThreadTimeMs(server.pid())
    await expectSuccess({ path: '/health' })
    slowestMs = Math.max(slowestMs, mainThreadTimeMs(server.pid()) - startMs)
  }
  const probeOrdinary = async (): Promise<void> => {
    const startMs = performance.now()
    await expectSuccess(ordinary)
    tookMs.push(performance.now() - startMs)
  }
  const probe = (): void => void outgoing.push(probeHealth(), probeOrdinary())
  probe()
  const timer = setInterval(probe, 100)
  return {
    measurements: () => ({ slowestMs, medianMs: medianOf(tookMs) }),
    async stop() {
      clearInterval(timer)
      probe()
      await Promise.all(outgoing)
      if (failure !== null) throw new Error('not all is well', { cause: failure })
    },
  }
}

const medianOf = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const tickMs = 10

/** Returns the processor time that the main thread of a process has used (user and system), in ms. */
function mainThreadTimeMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * tickMs
}

const resetPeakMemory = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5')

async function peakMemoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) * 1024
}
