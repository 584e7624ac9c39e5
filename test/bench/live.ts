import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { watchesOf } from '../kit/inotify-watches.ts'
import { runServer, type RunningServer, type TestUser } from '../kit/run-server.ts'
import { program } from './bench-context.ts'
import { cpuTimeMs, memoryBytes } from './load-client.ts'
import { median, type BenchResult } from './table.ts'

const folders = 1000
const users = 10
/** The largest number of sockets that the server accepts from one user. */
const clientsPerUser = 20
const clients = users * clientsPerUser
const foldersPerClient = folders / clients

/** The time for which the processor time of the server is measured while nothing changes, in ms. */
const quietMs = 10_000
const writes = 200
/** The time after the last watch was released until the memory is measured, in ms: idle threads have ended by then. */
const settleMs = 45_000
/** The server keeps the watches of clients that lost their connection for 60 s. */
const maxAbsenceMs = 60_000

/** Clients whose folders are watched, and the arrival times of their messages. */
type ConnectedClients = {
  readonly sockets: readonly WebSocket[]
  /** Resolves when a message about a path arrives. */
  readonly nextMessage: (changedPath: string) => Promise<void>
}

/**
 * Measures the costs of 1,000 open folders that 200 clients show, five folders each: memory, the processor time while
 * nothing changes, and the time from a write by another program to the message. Afterwards all clients disconnect, and
 * their watches and memory must be released.
 */
export async function benchLive(): Promise<readonly BenchResult[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stowage-bench-live-'))
  try {
    for (let n = 0; n < folders; n += 1) await mkdir(path.join(folder, folderName(n)))
    const people = Array.from({ length: users }, (_, n): TestUser => {
      return { name: `user${n}`, password: `user${n} has a long password` }
    })
    const server = await runServer({ folder, people, program })
    try {
      return await measureLive(server, people)
    } finally {
      await server.remove()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureLive(
  server: RunningServer,
  people: readonly TestUser[],
): Promise<readonly BenchResult[]> {
  const tokens = await Promise.all(people.map((person) => tokenOf(server, person)))
  await pause(quietMs / 2)
  const memoryBefore = memoryBytes(server.pid())
  const quietBefore = await quietProcessorMs(server)
  const connected = await connectClients(server, tokens)
  const watches = watchesOf(server.pid())
  if (watches !== folders) throw new Error(`${watches} watches for ${folders} folders`)
  await pause(quietMs / 2)
  const memoryWith = memoryBytes(server.pid())
  const quietWith = await quietProcessorMs(server)
  const delays = await measureDelays(server, connected)
  for (const socket of connected.sockets) socket.terminate()
  const releasedMs = await untilReleased(server.pid())
  await pause(settleMs)
  const memoryAfter = memoryBytes(server.pid())
  const what = `${folders} open folders, ${clients} clients`
  return [
    resultOf(`${what}: memory that they add`, (memoryWith - memoryBefore) / 1e6, { unit: 'MB', bar: 100 }),
    resultOf(`${what}: memory that remains afterwards`, (memoryAfter - memoryBefore) / 1e6, {
      unit: 'MB',
      bar: 20,
    }),
    resultOf(`${what}: processor time per second while nothing changes`, quietWith, {
      unit: 'ms',
      bar: 10,
    }),
    resultOf('no open folder: processor time per second', quietBefore, { unit: 'ms', bar: null }),
    resultOf(`${what}: from a write to the message, median`, median(delays), { unit: 'ms', bar: 250 }),
    resultOf(`${what}: from a write to the message, 95th percentile`, percentile95(delays), {
      unit: 'ms',
      bar: 400,
    }),
    resultOf(`${what}: from the loss of all connections to the last watch`, releasedMs / 1000, {
      unit: 's',
      bar: 65,
    }),
  ]
}

const folderName = (n: number): string => `folder-${n}`

const resultOf = (
  what: string,
  ours: number,
  { unit, bar }: Pick<BenchResult, 'unit' | 'bar'>,
): BenchResult => ({ what, ours, unit, bar, floor: null, against: '', better: 'less' })

const percentile95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0

async function tokenOf({ url }: RunningServer, { name, password }: TestUser): Promise<string> {
  const body = JSON.stringify({ username: name, password })
  const login = await fetch(`${url}/api/login`, { method: 'POST', body })
  return login.text()
}

/** Returns the processor time that the server uses per second, in ms. */
async function quietProcessorMs(server: RunningServer): Promise<number> {
  const before = cpuTimeMs(server.pid())
  await pause(quietMs)
  return ((cpuTimeMs(server.pid()) - before) * 1000) / quietMs
}

/** Connects all clients. Resolves when the server has told each of them that its folders are watched. */
async function connectClients(server: RunningServer, tokens: readonly string[]): Promise<ConnectedClients> {
  const listeners = new Map<string, () => void>()
  const sockets: WebSocket[] = []
  for (let n = 0; n < clients; n += 1) {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/events`, {
      headers: { 'x-auth': tokens[n % users]! },
    })
    sockets.push(socket)
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    let watching = 0
    socket.on('message', (text: Buffer) => {
      const message = JSON.parse(text.toString()) as { readonly path?: string; readonly watching?: string }
      if (message.path !== undefined) listeners.get(message.path)?.()
      if (message.watching !== undefined && (watching += 1) === foldersPerClient) start()
    })
    await once(socket, 'open')
    const watch = Array.from(
      { length: foldersPerClient },
      (_, at) => `/${folderName(n * foldersPerClient + at)}`,
    )
    socket.send(JSON.stringify({ watch, resume: null }))
    await started
  }
  const nextMessage = (changedPath: string): Promise<void> =>
    new Promise((resolve) => listeners.set(changedPath, resolve))
  return { sockets, nextMessage }
}

/** Writes files to folders that have not changed for a while. Returns the times until the messages arrive, in ms. */
async function measureDelays(
  { folder }: RunningServer,
  { nextMessage }: ConnectedClients,
): Promise<readonly number[]> {
  const delays: number[] = []
  for (let n = 0; n < writes; n += 1) {
    const name = `${folderName((n * 7) % folders)}/file-${n}.txt`
    const message = nextMessage(`/${name}`)
    const start = performance.now()
    await writeFile(path.join(folder, name), 'written by another program')
    await message
    delays.push(performance.now() - start)
  }
  return delays
}

/** Resolves with the time in ms until the process has no watch. Rejects when it still has one after a minute. */
async function untilReleased(pid: number): Promise<number> {
  const start = performance.now()
  while (watchesOf(pid) > 0) {
    if (performance.now() - start > maxAbsenceMs * 1.5) throw new Error(`${watchesOf(pid)} watches are left`)
    await pause(500)
  }
  return performance.now() - start
}
