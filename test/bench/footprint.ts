import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ada, runServer, type RunningServer } from '../kit/run-server.ts'
import { gibibyte, program, logIn } from './bench-context.ts'
import { timeGet, timeSend } from './measure.ts'
import type { BenchResult } from './table.ts'
import { noisyPhotograph } from './photograph.ts'

const listedEntries = 100_000
const smallCalls = 20_000
const connections = 64
const smallFiles = 5000
const smallFileConcurrency = 20
const thumbnails = 40
const thumbnailConcurrency = 6
/**
 * The pause between the bulk work and the first measurement, in ms. The first measurement shows the memory shortly
 * after the work, not during it.
 */
const settleMs = 5000
/** The idle time before the second measurement, in ms. */
const idleMs = 60_000

type BenchTarget = { readonly port: number; readonly headers: Readonly<Record<string, string>> }

/** A process of the server and its share of the server's physical memory, in bytes. */
type ProcessMemory = { readonly name: string; readonly bytes: number }

/**
 * Measures the memory of all processes of the server after bulk work, and again a minute later. The work is a listing
 * of 100,000 entries, 20,000 small calls over 64 connections, an upload and a download of 1 GiB, uploads and downloads
 * of 5,000 files of 4 KiB, a zip of these files, and 40 thumbnails of 12-megapixel photographs.
 */
export async function benchFootprint(): Promise<readonly BenchResult[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stowage-bench-footprint-'))
  try {
    await createFiles(folder)
    const server = await runServer({ folder, people: [ada], program })
    try {
      return await measureFootprint(server)
    } finally {
      await server.remove()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureFootprint(server: RunningServer): Promise<readonly BenchResult[]> {
  const address: BenchTarget = { port: server.port, headers: await logIn(server) }
  const atStart = rowsOf('at the start', server, null)
  for (const runStep of workSteps) await runStep(address)
  agent.destroy()
  await pause(settleMs)
  const afterWork = rowsOf('after bulk work', server, 300)
  await pause(idleMs)
  return [...atStart, ...afterWork, ...rowsOf('a minute later', server, 150)]
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Returns a result row for the total memory of all server processes, and a row for each process. */
function rowsOf(moment: string, server: RunningServer, barMB: number | null): readonly BenchResult[] {
  const processes = processMemoryOf(server.pid())
  const total = processes.reduce((sum, { bytes }) => sum + bytes, 0)
  return [
    rowOf(`memory ${moment}, all processes`, total, barMB),
    ...processes.map(({ name, bytes }) => rowOf(`memory ${moment}, ${name}`, bytes, null)),
  ]
}

const rowOf = (what: string, bytes: number, barMB: number | null): BenchResult => ({
  what,
  ours: bytes / 1e6,
  floor: null,
  unit: 'MB',
  against: '',
  better: 'less',
  bar: barMB,
})

const workSteps: readonly ((address: BenchTarget) => Promise<unknown>)[] = [
  (address) => timeGet({ ...address, path: '/api/resources/many/' }),
  (address) =>
    repeat({ count: smallCalls, concurrency: connections }, () => send({ ...address, path: '/api/users/1' })),
  (address) =>
    timeSend({ ...address, path: '/api/resources/large.bin', method: 'POST', sizeBytes: gibibyte }),
  (address) => timeGet({ ...address, path: '/api/raw/large.bin' }),
  (address) =>
    repeat({ count: smallFiles, concurrency: smallFileConcurrency }, (n) =>
      send({ ...address, path: `/api/resources/small/file-${n}.txt`, method: 'POST', body: smallBody }),
    ),
  (address) =>
    repeat({ count: smallFiles, concurrency: smallFileConcurrency }, (n) =>
      send({ ...address, path: `/api/raw/small/file-${n}.txt` }),
    ),
  (address) => timeGet({ ...address, path: '/api/raw/small/?algo=zip' }),
  (address) =>
    repeat({ count: thumbnails, concurrency: thumbnailConcurrency }, (n) =>
      send({ ...address, path: `/api/preview/thumb/photographs/photograph-${n}.jpg` }),
    ),
]

const smallBody = 'small '.repeat(683).slice(0, 4096)

/** Calls a function `count` times, with up to `concurrency` calls in flight. */
async function repeat(
  { count, concurrency }: { readonly count: number; readonly concurrency: number },
  call: (n: number) => Promise<unknown>,
): Promise<void> {
  let next = 0
  const run = async (): Promise<void> => {
    while (next < count) {
      next += 1
      await call(next - 1)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, run))
}

const agent = new Agent({ keepAlive: true, maxSockets: connections })

type SmallRequest = BenchTarget & {
  readonly path: string
  readonly method?: string
  readonly body?: string
}

/** Sends a request over a keep-alive connection and reads the response. Rejects when the server refuses the request. */
function send({ port, path, headers, method = 'GET', body }: SmallRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, headers, method, agent }, (response) => {
      if ((response.statusCode ?? 500) >= 300)
        reject(new Error(`${path} answered ${String(response.statusCode)}`))
      response.resume()
      response.once('end', resolve)
    })
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}

async function createFiles(folder: string): Promise<void> {
  for (const name of ['many', 'small', 'photographs']) await mkdir(path.join(folder, name))
  for (let n = 0; n < listedEntries; n += 1) await writeFile(path.join(folder, 'many', `entry-${n}.txt`), '')
  const photograph = await noisyPhotograph()
  for (let n = 0; n < thumbnails; n += 1)
    await writeFile(path.join(folder, 'photographs', `photograph-${n}.jpg`), photograph)
}

/**
 * Returns the memory of a process and of all its descendants. For the first process, the result is the resident set.
 * For its descendants, only unshared pages count, because the pages that they share with the first process would
 * otherwise be counted repeatedly.
 */
function processMemoryOf(pid: number, isFirst = true): readonly ProcessMemory[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
  const fields = isFirst ? /^Rss:\s+(\d+) kB$/gm : /^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const kilobytes = Array.from(rollup.matchAll(fields)).reduce((sum, [, text]) => sum + Number(text), 0)
  const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  const script = args.find((word) => /\.[jt]s$/.test(word)) ?? args[0] ?? ''
  return [
    { name: `${path.basename(script)} (${pid})`, bytes: kilobytes * 1024 },
    ...children.flatMap((child) => processMemoryOf(child, false)),
  ]
}
