import { spawnSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sharp, { type Sharp } from 'sharp'
import { createMemoryGroup, type MemoryGroup } from '../kit/memory-group.ts'
import { ada, runServer, type RunningServer } from '../kit/run-server.ts'
import { logIn } from './bench-context.ts'
import { noisyPhotograph } from './photograph.ts'
import type { BenchResult } from './table.ts'

const mebibyte = 1024 * 1024
/** The limits of the memory of the container in MiB, unless the environment variable names others. */
const limitsMiB = (process.env['STOWAGE_BENCH_LIMITS'] ?? '128,160,192,256,384').split(',').map(Number)
/** The root file system of an image, whose program is measured instead of the one that was built here. */
const imageRoot = process.env['STOWAGE_BENCH_IMAGE']
const rounds = 3
const photographs = 8
const atOnce = 4
const listedEntries = 10_000
const uploadBytes = 100e6
/** The time in ms after which a request counts as unanswered. */
const requestTimeoutMs = 30_000
const healthEveryMs = 100

/** The longest time in ms that a health check may take: container platforms end a server after several times this long. */
const healthBarMs = 5000

/** Images whose previews need more memory than that of a photograph: they are decoded in full size. */
const otherImages: readonly { readonly name: string; readonly make: (image: Sharp) => Sharp }[] = [
  { name: 'drawing.png', make: (image) => image.png({ compressionLevel: 1 }) },
  { name: 'picture.webp', make: (image) => image.webp({ effort: 0 }) },
  { name: 'scan.tiff', make: (image) => image.tiff({ compression: 'none' }) },
  { name: 'picture.avif', make: (image) => image.avif({ effort: 0 }) },
]

/** A request, and what it is called in the report. */
type Work = { readonly kind: string; readonly path: string; readonly uploadBytes?: number }

/**
 * Runs the server in control groups with little memory. In each of them, four thumbnails, previews, uploads, archives and
 * listings run at the same time, and then all of these together, three times. A health check runs all the time.
 * STOWAGE_BENCH_IMAGE names the root file system of an image, in which the server then runs; this needs root.
 */
export async function benchContainer(): Promise<readonly BenchResult[]> {
  const probe = createMemoryGroup(limitsMiB[0]! * mebibyte)
  if (typeof probe === 'string') {
    console.error(`container: skipped, because ${probe}`)
    return []
  }
  await probe.remove()
  console.error(
    `container: the system reads up to ${readAheadKiB(tmpdir())} KiB around a missing page of a program`,
  )
  const scratch = await mkdtemp(path.join(tmpdir(), 'stowage-bench-container-'))
  try {
    await createFiles(path.join(scratch, 'files'))
    const results: BenchResult[] = []
    for (const limitMiB of limitsMiB) results.push(...(await measureLimit(scratch, limitMiB)))
    return results
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/**
 * Returns how much the system reads in advance from the disk of a folder, in KiB; `?` where it does not say so. Linux 6.16 and newer
 * does so for programs whatever they advise. With 128 KiB, the default, four archives were packed in a container of 128 MiB
 * within 10 s. With 8192 KiB the server did not answer for more than 30 s.
 */
function readAheadKiB(folder: string): string {
  const { dev } = statSync(folder)
  const [major, minor] = [(dev >> 8) & 0xfff, (dev & 0xff) | ((dev >> 12) & 0xfff00)]
  try {
    return readFileSync(`/sys/class/bdi/${major}:${minor}/read_ahead_kb`, 'latin1').trim()
  } catch {
    return '?'
  }
}

async function measureLimit(scratch: string, limitMiB: number): Promise<readonly BenchResult[]> {
  const group = createMemoryGroup(limitMiB * mebibyte)
  if (typeof group === 'string') throw new Error(group)
  const state = await mkdtemp(path.join(scratch, 'state-'))
  const server = await startIn(group, { scratch, state })
  group.resetPeak()
  const health = watchHealth(server)
  const statuses = await runRounds(server)
  const longestHealthMs = await health.stop()
  const { peakBytes, majorFaults, killedProcesses } = group.facts()
  const isKilled = !(await isAnswering(server))
  console.error(`${limitMiB} MiB: ${isKilled ? 'KILLED or without an answer' : 'alive'}, ${killedProcesses} processes killed, \
longest /health ${longestHealthMs.toFixed(0)} ms, peak ${(peakBytes / mebibyte).toFixed(0)} MiB, ${majorFaults} major faults`)
  for (const [kind, counts] of statuses) console.error(`  ${kind}: ${textOf(counts)}`)
  if (process.env['STOWAGE_BENCH_OUTPUT'] !== undefined) console.error(server.output())
  await server.remove()
  await group.remove()
  return rowsOf(limitMiB, { isKilled, longestHealthMs, statuses })
}

type Statuses = ReadonlyMap<string, ReadonlyMap<string, number>>

function rowsOf(
  limitMiB: number,
  facts: { readonly isKilled: boolean; readonly longestHealthMs: number; readonly statuses: Statuses },
): readonly BenchResult[] {
  const common = { floor: null, against: '', better: 'less' } as const
  const where = `in ${limitMiB} MiB`
  const unanswered = [...facts.statuses.values()].reduce((sum, counts) => sum + unexpectedIn(counts), 0)
  return [
    { ...common, what: `the server has ended, ${where}`, ours: Number(facts.isKilled), unit: '', bar: 0 },
    {
      ...common,
      what: `longest health check, ${where}`,
      ours: facts.longestHealthMs,
      unit: 'ms',
      bar: healthBarMs,
    },
    {
      ...common,
      what: `other answers than the result or refusals, ${where}`,
      ours: unanswered,
      unit: '',
      bar: 0,
    },
    {
      ...common,
      what: `thumbnails of photographs that were not made, ${where}`,
      ours: photographs * rounds - (facts.statuses.get('thumbnail')?.get('200') ?? 0),
      unit: '',
      bar: 0,
    },
  ]
}

/** Returns the number of responses that are neither a result, nor say that something is too large or that too much is requested at once. */
const unexpectedIn = (counts: ReadonlyMap<string, number>): number =>
  [...counts].reduce((sum, [status, count]) => (/^(2..|413|429|503)$/.test(status) ? sum : sum + count), 0)

const textOf = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([status, count]) => `${count} × ${status}`).join(', ')

type StartOptions = { readonly scratch: string; readonly state: string }

/**
 * Starts the server in the group. The group pays for the files of the program, as in a container of its own: the program of
 * Node is copied inside of the group, and the other files of the program leave the page cache before.
 */
async function startIn(group: MemoryGroup, { scratch, state }: StartOptions): Promise<RunningServer> {
  const root = path.resolve(import.meta.dirname, '../..')
  if (imageRoot !== undefined) {
    dropFromPageCache(
      globSync([`${imageRoot}/opt/stowage/**/*`, `${imageRoot}/usr/lib/**/*`]).filter((file) =>
        statSync(file).isFile(),
      ),
    )
    const command = [path.join(root, 'packaging/run-in-image.sh'), imageRoot, scratch]
    return runServer({
      folder: path.join(scratch, 'files'),
      state,
      people: [ada],
      program: group.commandIn(command),
    })
  }
  const node = path.join(state, 'node')
  const [copyProgram = '', ...copyArgs] = group.commandIn(['cp', process.execPath, node])
  if (spawnSync(copyProgram, copyArgs).status !== 0) throw new Error('the program of Node was not copied')
  dropFromPageCache(
    ['dist/server/**/*.js', 'node_modules/@img/*/lib/*', 'node_modules/koffi/**/*.node'].flatMap((pattern) =>
      globSync(path.join(root, pattern)),
    ),
  )
  // The size of the pool is what the launcher chooses.
  const program = ['env', '-u', 'UV_THREADPOOL_SIZE', node, path.join(root, 'bin/stowage.js')]
  return runServer({
    folder: path.join(scratch, 'files'),
    state,
    people: [ada],
    program: group.commandIn(program),
  })
}

/** Lets the page cache forget files, so that the next reader pays for them. */
function dropFromPageCache(files: readonly string[]): void {
  for (const file of files) spawnSync('dd', [`if=${file}`, 'iflag=nocache', 'count=0', 'status=none'])
}

async function runRounds(server: RunningServer): Promise<Statuses> {
  const headers = await logIn(server)
  const statuses = new Map<string, Map<string, number>>()
  const count = (kind: string, status: string): void => {
    const counts = statuses.get(kind) ?? new Map<string, number>()
    statuses.set(kind, counts.set(status, (counts.get(status) ?? 0) + 1))
  }
  const runAll = async (works: readonly Work[], concurrency: number): Promise<void> => {
    const waiting = [...works]
    const runSome = async (): Promise<void> => {
      for (let work = waiting.shift(); work !== undefined; work = waiting.shift())
        count(work.kind, await statusOf(server, headers, work))
    }
    await Promise.all(Array.from({ length: concurrency }, runSome))
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const phase of phases) {
      await renew(server.folder, round * 2)
      await runAll(phase, atOnce)
      if (!(await isAnswering(server))) return statuses
    }
    await renew(server.folder, round * 2 + 1)
    const mixed = phases
      .flatMap((phase) => phase.slice(0, atOnce))
      .map((work) => ({ ...work, kind: `${work.kind}, with others` }))
    await runAll(mixed, mixed.length)
    if (!(await isAnswering(server))) return statuses
    await rm(path.join(server.folder, 'uploads'), { recursive: true, force: true })
  }
  return statuses
}

/** Makes the previews of all images stale, and lets the page cache forget the images. */
async function renew(folder: string, seconds: number): Promise<void> {
  const images = [
    ...Array.from({ length: photographs }, (_, n) => photographName(n)),
    ...otherImages.map(({ name }) => name),
  ]
  for (const name of images) await utimes(path.join(folder, 'images', name), seconds, seconds)
  dropFromPageCache(images.map((name) => path.join(folder, 'images', name)))
}

const photographName = (n: number): string => `photograph-${n}.jpg`

const preview = (kind: string, size: string, name: string): Work => ({
  kind,
  path: `/api/preview/${size}/images/${name}`,
})

const phases: readonly (readonly Work[])[] = [
  Array.from({ length: photographs }, (_, n) => preview('thumbnail', 'thumb', photographName(n))),
  Array.from({ length: photographs }, (_, n) => preview('big preview', 'big', photographName(n))),
  otherImages.map(({ name }) => preview(`big preview of ${name}`, 'big', name)),
  Array.from({ length: atOnce }, (_, n) => ({
    kind: 'upload',
    path: `/api/resources/uploads/upload-${n}.bin?override=true`,
    uploadBytes,
  })),
  Array.from({ length: atOnce }, () => ({ kind: 'zip', path: '/api/raw/tree/?algo=zip' })),
  Array.from({ length: atOnce * 2 }, () => ({ kind: 'listing', path: '/api/resources/many/' })),
]

/** Returns the status of the response to a request, after its body has arrived, or why there is none. */
async function statusOf(
  server: RunningServer,
  headers: Readonly<Record<string, string>>,
  work: Work,
): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const size = work.uploadBytes
  const outgoing = request(`${server.url}${work.path}`, {
    agent: false,
    method: size === undefined ? 'GET' : 'POST',
    headers: {
      ...headers,
      Accept: 'image/webp,*/*',
      ...(size !== undefined && { 'Content-Length': String(size) }),
    },
  })
  const timer = setTimeout(() => outgoing.destroy(new Error('no answer')), requestTimeoutMs)
  outgoing.on('error', (error) => resolve(error.message))
  outgoing.on('response', (response: IncomingMessage) => {
    response.on('error', (error) => resolve(`${response.statusCode} and ${error.message}`))
    response.on('end', () => resolve(String(response.statusCode)))
    response.resume()
  })
  await sendBytes(outgoing, size ?? 0)
  const status = await promise
  clearTimeout(timer)
  return status
}

const chunk = Buffer.alloc(mebibyte, 'stowage ')

async function sendBytes(outgoing: ClientRequest, size: number): Promise<void> {
  for (let remaining = size; remaining > 0 && !outgoing.destroyed; remaining -= chunk.length) {
    const part = remaining >= chunk.length ? chunk : chunk.subarray(0, remaining)
    await new Promise((resolve) => outgoing.write(part, resolve))
  }
  outgoing.end()
}

/** Requests the health of the server all the time. `stop` returns the longest time in ms until a response. */
function watchHealth(server: RunningServer): { readonly stop: () => Promise<number> } {
  const stopping = new AbortController()
  let longestMs = 0
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const start = performance.now()
      const isAnswered = await isAnswering(server)
      longestMs = Math.max(longestMs, isAnswered ? performance.now() - start : requestTimeoutMs)
      await pause(healthEveryMs)
    }
  }
  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
      return longestMs
    },
  }
}

const isAnswering = ({ url }: RunningServer): Promise<boolean> =>
  fetch(`${url}/health`, { signal: AbortSignal.timeout(requestTimeoutMs) }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.ok
    },
    () => false,
  )

async function createFiles(folder: string): Promise<void> {
  for (const name of ['many', 'images', 'tree']) await mkdir(path.join(folder, name), { recursive: true })
  for (let n = 0; n < listedEntries; n += 1) await writeFile(path.join(folder, 'many', `entry-${n}.txt`), '')
  for (let n = 0; n < 1000; n += 1)
    await writeFile(path.join(folder, 'tree', `text-${n}.txt`), `line ${n} of a text\n`.repeat(1000))
  const photograph = await noisyPhotograph()
  for (let n = 0; n < photographs; n += 1)
    await writeFile(path.join(folder, 'images', photographName(n)), photograph)
  cpSync(path.join(folder, 'images'), path.join(folder, 'tree', 'images'), { recursive: true })
  for (const { name, make } of otherImages)
    await make(sharp(photograph)).toFile(path.join(folder, 'images', name))
}
