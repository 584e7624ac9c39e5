import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { RunningServer } from '../kit/run-server.ts'

/** Attackers have another address than those who ask whether all is well. */
export const elsewhere = '127.0.0.2'

export const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export type Attacker = {
  readonly socket: Socket
  readonly heard: () => string
  readonly isGone: () => boolean
}

/** A connection from elsewhere, on which this is said. */
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

export type Call = {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly from?: string
}

/** The status of a call from elsewhere; its answer is read to its end. 0 where the connection breaks. */
export const statusOf = (
  server: Pick<RunningServer, 'port'>,
  { path, method = 'GET', headers, body, from }: Call,
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
        // Who does not say that it goes away is read to the end of what it sends.
        headers: { connection: 'keep-alive', ...length, ...headers },
      },
      (answer) => {
        answer.on('error', () => resolve(0))
        answer.resume().once('end', () => {
          resolve(answer.statusCode ?? 0)
          asked.destroy()
        })
      },
    )
    asked.once('error', () => resolve(0)).end(body)
  })

export type Siege = {
  /**
   * The longest that a `/health` waited, in the time that the server's main thread worked meanwhile: what it waits on a machine that does
   * nothing else, however many share this one.
   */
  readonly slowestMs: number
  /**
   * How long the ordinary call of somebody else took as a rule, by the clock: its work is not the main thread's alone. The median,
   * since a shared machine that stands still now and then holds up few of many calls, and what holds up the server does so to most.
   */
  readonly usualMs: number
  /** The most memory that the server held meanwhile. */
  readonly peakBytes: number
}

/** Asks every 100 ms whether all is well, and for something ordinary, as long as an attack goes on and once more. */
export async function besiege(
  server: RunningServer,
  attack: () => Promise<unknown>,
  ordinary: Call = { path: '/health' },
): Promise<Siege> {
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

function askRepeatedly(server: RunningServer, ordinary: Call) {
  const tookMs: number[] = []
  const asked: Promise<void>[] = []
  let slowestMs = 0
  let failure: Error | null = null
  const get = async (call: Call): Promise<void> => {
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

/** How long the main thread of a process has worked, in its own name and in the system's. */
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
