import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { WebSocket } from 'ws'
import { pathOf, root } from '../../src/shared/domain/path.ts'
import { createPosixVolume } from '../../src/server/storage/posix/volume.ts'
import { benchArchives } from './archives.ts'
import { benchBrowser } from './browser.ts'
import { benchContainer } from './container.ts'
import { benchFind } from './find.ts'
import { benchFootprint } from './footprint.ts'
import { benchIdle } from './idle.ts'
import { benchImages } from './images.ts'
import { benchLive } from './live.ts'
import { benchMany } from './many.ts'
import { benchMillion } from './million.ts'
import { benchPreviews } from './previews.ts'
import { benchProcesses } from './processes.ts'
import { cpuTimeMs } from './load-client.ts'
import { speedOfGet, timeGet, timeSend } from './measure.ts'
import { benchSmall } from './small.ts'
import { benchStart } from './start.ts'
import { median, measureAlternately, isWithinLimit, tableOf, type BenchResult } from './table.ts'
import { benchViewers } from './viewers.ts'
import { gibibyte, createBenchContext, sizes, type BenchContext } from './bench-context.ts'

/**
 * The parts of the benchmark that share one server. `npm run bench` measures all parts, and `npm run bench -- listing`
 * measures only one part. Each figure is compared with a baseline or another program in the same run.
 */
const partsOnSharedServer: Readonly<
  Record<string, (context: BenchContext) => Promise<readonly BenchResult[]>>
> = {
  storage: benchStorage,
  listing: benchListing,
  download: benchDownload,
  upload: benchUpload,
  browser: benchBrowser,
  previews: benchPreviews,
  images: benchImages,
  viewers: benchViewers,
  find: benchFind,
  archives: benchArchives,
}

/** The parts of the benchmark that start their own servers. */
const standaloneParts: Readonly<Record<string, () => Promise<readonly BenchResult[]>>> = {
  start: benchStart,
  small: benchSmall,
  many: benchMany,
  processes: benchProcesses,
  footprint: benchFootprint,
  idle: benchIdle,
  container: benchContainer,
  live: benchLive,
  million: benchMillion,
}

const wanted = process.argv.slice(2)
const isWanted = ([name]: readonly [string, unknown]): boolean => wanted.length === 0 || wanted.includes(name)
const results: BenchResult[] = []
for (const [name, part] of Object.entries(standaloneParts).filter(isWanted)) {
  console.error(`${name} …`)
  results.push(...(await part()))
}
const sharedServerParts = Object.entries(partsOnSharedServer).filter(isWanted)
const context = sharedServerParts.length === 0 ? null : await createBenchContext()
try {
  for (const [name, part] of sharedServerParts) {
    console.error(`${name} …`)
    if (context !== null) results.push(...(await part(context)))
  }
} finally {
  await context?.remove()
}
console.log(tableOf(results))
await writeFile('bench-results.json', `${JSON.stringify(results, null, 2)}\n`)
process.exitCode = results.some((result) => isWithinLimit(result) === false) ? 1 : 0

async function benchStorage({ folder, listFloor }: BenchContext): Promise<readonly BenchResult[]> {
  if (listFloor === null) return []
  const largestSize = sizes.at(-1)!
  const volume = createPosixVolume({ root: folder })
  const listedFolder = pathOf(`/n${largestSize}`) ?? root
  const ours = async () => {
    const start = performance.now()
    const listing = await volume.list(listedFolder, {
      order: { by: 'modified', descending: false, folders: 'mixed' },
    })
    let rows = 0
    for await (const page of listing.pages) rows += page.names.length
    if (rows !== largestSize) throw new Error(`${rows} rows instead of ${largestSize}`)
    return performance.now() - start
  }
  const floor = async () =>
    Number(
      spawnSync(listFloor, [path.join(folder, `n${largestSize}`)], { encoding: 'utf8' }).stdout.split(' ')[1],
    )
  const times = await measureAlternately(7, ours, floor)
  await volume.close()
  return [
    {
      what: `list ${largestSize} entries, file-system part`,
      ...times,
      unit: 'ms',
      against: 'C getdents64 + statx',
      better: 'less',
      bar: 1.5,
    },
  ]
}

async function benchListing({ server, headers, go }: BenchContext): Promise<readonly BenchResult[]> {
  const results: BenchResult[] = []
  for (const size of sizes) {
    const json = { port: server.port, path: `/api/resources/n${size}/`, headers }
    const rows = { ...json, headers: { ...headers, Accept: 'application/x-ndjson' } }
    const peer = async () =>
      go ? (await timeGet({ port: go.port, path: `/list?folder=n${size}` })).wholeMs : Number.NaN
    const rounds = size > 10_000 ? 7 : 21
    const row = async (what: string, bar: number | null, ours: () => Promise<number>) => {
      const times = await measureAlternately(rounds, ours, peer)
      results.push({
        what,
        ...times,
        unit: 'ms',
        against: 'Go readdir + lstat + JSON',
        better: 'less',
        bar: size > 100 ? bar : null,
      })
    }
    await row(`list ${size}, JSON, whole answer`, 1, async () => (await timeGet(json)).wholeMs)
    await row(`list ${size}, rows, whole answer`, 1, async () => (await timeGet(rows)).wholeMs)
    // The first 256 rows are at least 9 kB long, while the head line is only about 300 bytes long.
    await row(
      `list ${size}, rows, first 256`,
      0.25,
      async () => (await timeGet(rows, Math.min(9000, size * 35))).firstMs,
    )
    const close = await showFolder(server, headers, `/n${size}`)
    await row(`list ${size}, rows, open folder`, 0.3, async () => (await timeGet(rows)).wholeMs)
    close()
  }
  return go ? results : results.map((result) => ({ ...result, floor: null, bar: null }))
}

/** Shows a folder as a client does. Resolves when the server follows its changes. The returned function closes it. */
async function showFolder(
  { url }: BenchContext['server'],
  headers: BenchContext['headers'],
  folder: string,
): Promise<() => void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/events`, { headers })
  await once(socket, 'open')
  socket.send(JSON.stringify({ watch: [folder], resume: null }))
  while (!String((await once(socket, 'message'))[0]).includes('"watching"'));
  return () => socket.close()
}

async function benchDownload({
  server,
  headers,
  nginx,
  drain,
}: BenchContext): Promise<readonly BenchResult[]> {
  const ours = () => speedOfGet(drain, { port: server.port, path: '/api/raw/one.bin', headers })
  const against = 'nginx sendfile'
  const what = 'download 1 GiB, one stream'
  if (!nginx)
    return [
      { what, ours: toGiB(await ours()), floor: null, unit: 'GiB/s', against, better: 'more', bar: null },
    ]
  const speeds = await measureAlternately(9, ours, () =>
    speedOfGet(drain, { port: nginx.port, path: '/one.bin' }),
  )
  return [
    {
      what,
      ours: toGiB(speeds.ours),
      floor: toGiB(speeds.floor),
      unit: 'GiB/s',
      against,
      better: 'more',
      bar: 0.9,
    },
  ]
}

async function benchUpload({
  server,
  headers,
  nginx,
  folder,
}: BenchContext): Promise<readonly BenchResult[]> {
  const size = { sizeBytes: gibibyte }
  const flushedSpeed = async (send: Promise<number>, name: string): Promise<number> => {
    const sendMs = await send
    const start = performance.now()
    spawnSync('sync', [path.join(folder, name)])
    const totalMs = sendMs + performance.now() - start
    await rm(path.join(folder, name))
    return gibibyte / (totalMs / 1000) / gibibyte
  }
  const processorMs: number[] = []
  const ours = async () => {
    const before = cpuTimeMs(server.pid())
    const speed = await flushedSpeed(
      timeSend({ ...size, port: server.port, path: '/api/resources/ours.bin', headers, method: 'POST' }),
      'ours.bin',
    )
    processorMs.push(cpuTimeMs(server.pid()) - before)
    return speed
  }
  const peer = async () =>
    nginx === null
      ? Number.NaN
      : flushedSpeed(
          timeSend({ ...size, port: nginx.port, path: '/theirs.bin', method: 'PUT' }),
          'theirs.bin',
        )
  const times = await measureAlternately(5, ours, peer)
  return [
    {
      what: 'upload 1 GiB, one stream, flushed',
      ...times,
      floor: nginx === null ? null : times.floor,
      unit: 'GiB/s',
      against: 'nginx WebDAV PUT + sync',
      better: 'more',
      bar: nginx === null ? null : 0.9,
    },
    {
      what: 'upload 1 GiB: processor time',
      ours: median(processorMs),
      floor: null,
      unit: 'ms',
      against: '',
      better: 'less',
      bar: 1300,
    },
  ]
}

function toGiB(bytesPerSecond: number): number {
  return bytesPerSecond / gibibyte
}
