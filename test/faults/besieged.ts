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
  /** The most memory that the server held meanwhile. */
  readonly peakBytes: number
}

/** Asks every 100 ms whether all is well, as long as an attack goes on and once more. */
export async function besiege(server: RunningServer, attack: () => Promise<unknown>): Promise<Siege> {
  await forgetPeak(server.pid())
  const asking = askRepeatedly(server)
  try {
    await attack()
  } finally {
    await asking.stop()
  }
  return { slowestMs: asking.slowestMs(), peakBytes: await peakOf(server.pid()) }
}

function askRepeatedly(server: RunningServer) {
  const state = { slowestMs: 0, failure: null as unknown }
  const asked: Promise<void>[] = []
  const ask = async (): Promise<void> => {
    const startMs = workedMs(server.pid())
    const status = await statusOf(server, { path: '/health', from: '127.0.0.1' })
    if (status !== 200) state.failure ??= new Error(`it answers ${status}`)
    state.slowestMs = Math.max(state.slowestMs, workedMs(server.pid()) - startMs)
  }
  asked.push(ask())
  const timer = setInterval(() => asked.push(ask()), 100)
  return {
    slowestMs: () => state.slowestMs,
    async stop() {
      clearInterval(timer)
      asked.push(ask())
      await Promise.all(asked)
      if (state.failure !== null) throw new Error('not all is well', { cause: state.failure })
    },
  }
}

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
