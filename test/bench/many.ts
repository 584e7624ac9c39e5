import { spawn, spawnSync } from 'node:child_process'
import { closeSync, fstatSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { extKindOf, type ExtKind } from '../../src/server/storage/posix/calls/ext-journal.ts'
import { powerCutDisk } from '../kit/mounts.ts'
import { ada, runServer } from '../kit/run-server.ts'
import { runLoad, cpuTimeMs } from './load-client.ts'
import { timeGet } from './measure.ts'
import {
  compileProgram,
  copyparty,
  dufs,
  goServer,
  nginx,
  peerUserHeaders,
  rclone,
  type PeerServer,
} from './peers.ts'
import { makeSynchronous } from './synchronous.ts'
import { measureAlternately, median, type BenchResult } from './table.ts'
import { program, logIn } from './bench-context.ts'

const files = 10_000
const rounds = 4
const filesPerRound = files / rounds
/** Size of the disk image: 4 GiB, which is enough for the files of all servers and rounds. */
const diskBytes = 4 * 1024 ** 3
/** The numbers of all rounds. The first round warms up the programs and is not counted. */
const allRounds = Array.from({ length: rounds + 1 }, (_, round) => round)
const concurrencies = [5, 20] as const
const managers = ['rclone', 'dufs', 'copyparty'] as const
const names = ['ours', 'Go', 'nginx', ...managers] as const
const settleNothing = (): void => undefined
const body = 'small '.repeat(683).slice(0, 4096)

/**
 * A file server in the comparison: the requests for its uploads and downloads, and whether uploaded files are durable
 * when it confirms them.
 */
type MeasuredServer = {
  readonly name: string
  readonly port: number
  readonly pid: number
  readonly method: 'POST' | 'PUT'
  readonly prefixes: { readonly up: string; readonly down: string }
  readonly headers: Readonly<Record<string, string>>
  /** Flushes uploaded files to the disk if the server confirmed their uploads without flushing them. */
  readonly settle: () => void
  /**
   * True for file managers, whose speed our server must reach. A plain file server without users is only an upper bound
   * for comparison.
   */
  readonly isPeer: boolean
  /** True when the server flushes files to the disk before it confirms their uploads, as our server does. */
  readonly isFlushed: boolean
}

type RoundResult = { readonly perSecond: number; readonly processorUs: number }

/**
 * Measures uploads and downloads of 10,000 files of 4 KiB, with one call per file, and the download of all files as one
 * archive. The time of uploads ends when all files are flushed to the disk.
 *
 * No other file manager flushes files before it responds. For a fair comparison, their upload folders are synchronous
 * where the file system supports this: the kernel then flushes each write and each new name before the system call
 * returns. Our folders are not synchronous, because our server flushes by itself, and each file would be flushed twice.
 * Synchronous folders do not protect the other file managers from half-written files, so their guarantee is still
 * weaker than ours.
 *
 * The speed of uploads depends on the file system. Uploads are measured on the file system of the machine and, when
 * that is not ext4 with a journal, also on an image of ext4 with a journal, because most systems use it. On ext4
 * without a journal there is no required ratio, because only our server flushes each file twice there, so that a name
 * never shows the old content of another file.
 */
export async function benchMany(): Promise<readonly BenchResult[]> {
  const loadClient = await compileProgram('load-client')
  if (loadClient === null) return []
  const folder = await mkdtemp(path.join(tmpdir(), 'stowage-bench-many-'))
  const ext = extIn(folder)
  try {
    const results = await benchFolder({
      loadClient,
      folder,
      directions: ['up', 'down'],
      titleSuffix: '',
      hasMinimumRatio: ext !== 'unjournaled',
    })
    return [...results, ...(ext === 'journaled' ? [] : await benchJournaledDisk(loadClient))]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function extIn(folder: string): ExtKind | null {
  const handle = openSync(folder, 'r')
  try {
    return extKindOf(handle, fstatSync(handle, { bigint: true }).dev)
  } finally {
    closeSync(handle)
  }
}

/** Measures uploads on ext4 with a journal. Returns no results on machines where disks cannot be mounted. */
async function benchJournaledDisk(loadClient: string): Promise<readonly BenchResult[]> {
  const disk = powerCutDisk(diskBytes, { hasJournal: true })
  if (disk === null) return []
  try {
    const titleSuffix = ', ext4 with a journal'
    return await benchFolder({
      loadClient,
      folder: disk.folder,
      directions: ['up'],
      titleSuffix,
      hasMinimumRatio: true,
    })
  } finally {
    disk.remove()
  }
}

/** The direction of the transfer, as seen by the client. */
type TransferDirection = 'up' | 'down'

/** Options of a benchmark run in one folder. */
type FolderBenchOptions = {
  readonly loadClient: string
  readonly folder: string
  readonly directions: readonly TransferDirection[]
  /** The suffix of the row titles, which names the file system of the folder. */
  readonly titleSuffix: string
  /** True when uploads must reach a minimum speed relative to the other servers. */
  readonly hasMinimumRatio: boolean
}

async function benchFolder({
  loadClient,
  folder,
  directions,
  titleSuffix,
  hasMinimumRatio,
}: FolderBenchOptions): Promise<readonly BenchResult[]> {
  await makeFolders(folder)
  const isSynchronous = makeSynchronous(peerFoldersIn(folder))
  const server = await runServer({ folder, people: [ada], program })
  const peers = {
    go: await goServer('file-server', folder),
    nginx: await nginx(folder),
    rclone: await rclone(folder),
    dufs: await dufs(folder),
    copyparty: await copyparty(folder),
  }
  try {
    const ours = ourServer(server, await logIn(server))
    const servers = [ours, ...peersOf(peers, { folder, isSynchronous })]
    const results: BenchResult[] = []
    for (const connections of concurrencies) {
      for (const direction of directions) {
        const taken = await roundsOf[direction](loadClient, servers, connections)
        results.push(
          ...rowsOf(
            { direction, what: `${direction}, ${connections} at once${titleSuffix}`, hasMinimumRatio },
            servers,
            taken,
          ),
        )
      }
    }
    return directions.includes('down') ? [...results, await archiveRow(ours, folder)] : results
  } finally {
    for (const peer of Object.values(peers)) peer?.stop()
    await server.remove()
  }
}

const ourServer = (
  { port, pid }: Awaited<ReturnType<typeof runServer>>,
  headers: MeasuredServer['headers'],
): MeasuredServer => ({
  name: 'ours',
  port,
  pid: pid(),
  method: 'POST',
  headers,
  prefixes: { up: '/api/resources', down: '/api/raw' },
  settle: settleNothing,
  isPeer: false,
  isFlushed: true,
})

type PeerServers = Readonly<Record<'go' | 'nginx' | 'rclone' | 'dufs' | 'copyparty', PeerServer | null>>

/** Returns our server and those of the compared servers that could be started. */
function peersOf(
  peers: PeerServers,
  { folder, isSynchronous }: { readonly folder: string; readonly isSynchronous: boolean },
): readonly MeasuredServer[] {
  const sync = (): void => void spawnSync('sync', ['-f', folder])
  const commonFields = { method: 'PUT', prefixes: { up: '', down: '' }, headers: {}, isPeer: false } as const
  const flushedAtEnd = (name: string) => ({
    ...commonFields,
    name: `${name}, all flushed once at the end`,
    settle: sync,
    isFlushed: false,
  })
  const flushedFields = { settle: settleNothing, isFlushed: true }
  const manager = (name: string) => ({
    ...flushedAtEnd(name),
    ...(isSynchronous ? { ...flushedFields, name: `${name}, each flushed by its synchronous folder` } : {}),
    isPeer: true,
  })
  const candidates = [
    { ...commonFields, ...flushedFields, name: 'Go, each flushed as ours', peer: peers.go },
    { ...flushedAtEnd('nginx'), peer: peers.nginx },
    { ...manager('rclone'), peer: peers.rclone },
    { ...manager('dufs'), headers: peerUserHeaders, peer: peers.dufs },
    { ...manager('copyparty'), headers: peerUserHeaders, peer: peers.copyparty },
  ]
  return candidates.flatMap(({ peer, ...server }) =>
    peer === null ? [] : [{ ...server, port: peer.port, pid: peer.pid }],
  )
}

const folderOf = (name: string, connections: number, round: number): string =>
  `/${name.split(/\W/)[0]}-${connections}-${round}`

/** Creates all folders before the first request, because some of the other servers cache listings for some time. */
async function makeFolders(folder: string): Promise<void> {
  for (const name of names) {
    for (const connections of concurrencies) {
      for (const round of allRounds) await mkdir(path.join(folder, folderOf(name, connections, round)))
    }
  }
  await mkdir(path.join(folder, 'down'))
  for (let n = 0; n < filesPerRound; n += 1)
    await writeFile(path.join(folder, 'down', `file-${String(n).padStart(5, '0')}.txt`), body)
}

/** Returns the folders into which the file managers upload. */
const peerFoldersIn = (folder: string): readonly string[] =>
  managers.flatMap((name) =>
    concurrencies.flatMap((connections) =>
      allRounds.map((round) => path.join(folder, folderOf(name, connections, round))),
    ),
  )

/** Uploads to all servers alternately, and into new folders in each round. */
async function upRounds(loadClient: string, servers: readonly MeasuredServer[], connections: number) {
  const results = servers.map((): RoundResult[] => [])
  for (const round of allRounds) {
    for (const [index, server] of servers.entries()) {
      const titleSuffix = folderOf(server.name, connections, round)
      const loadOptions = {
        ...server,
        path: `${server.prefixes.up}${titleSuffix}/file-#####.txt`,
        body,
        connections,
      }
      const result = await measureRound(loadClient, server, { ...loadOptions, calls: filesPerRound })
      if (round > 0) results[index]!.push(result)
    }
  }
  return results
}

async function downRounds(loadClient: string, servers: readonly MeasuredServer[], connections: number) {
  const results = servers.map((): RoundResult[] => [])
  for (const round of allRounds) {
    for (const [index, server] of servers.entries()) {
      const { port, headers } = server
      const loadOptions = { port, headers, path: `${server.prefixes.down}/down/file-#####.txt`, connections }
      const result = await measureRound(
        loadClient,
        { ...server, settle: settleNothing },
        { ...loadOptions, calls: filesPerRound },
      )
      if (round > 0) results[index]!.push(result)
    }
  }
  return results
}

const roundsOf = { up: upRounds, down: downRounds } as const

async function measureRound(
  loadClient: string,
  server: MeasuredServer,
  loadOptions: Parameters<typeof runLoad>[1],
): Promise<RoundResult> {
  const before = cpuTimeMs(server.pid)
  const { calls, allMs } = await runLoad(loadClient, loadOptions)
  const start = performance.now()
  server.settle()
  const processorUs = ((cpuTimeMs(server.pid) - before) * 1000) / calls
  return { perSecond: (calls / (allMs + performance.now() - start)) * 1000, processorUs }
}

/**
 * Compares our server with each of the other servers. Our server must reach a minimum ratio compared with file
 * managers. For uploads, this applies only to file managers that guarantee the same durability when they respond.
 */
function rowsOf(
  {
    direction,
    what,
    hasMinimumRatio,
  }: { readonly direction: TransferDirection; readonly what: string; readonly hasMinimumRatio: boolean },
  servers: readonly MeasuredServer[],
  results: readonly (readonly RoundResult[])[],
): readonly BenchResult[] {
  const figure = (index: number, figureOf: (result: RoundResult) => number): number =>
    median((results[index] ?? []).map(figureOf))
  return servers.slice(1).flatMap(({ name, isPeer, isFlushed }, index) => {
    const isUp = direction === 'up'
    const against = isUp ? name : name.split(',')[0]!
    const isRequired = isPeer && (!isUp || (isFlushed && hasMinimumRatio))
    const compared = (unit: string, figureOf: (result: RoundResult) => number) =>
      ({ ours: figure(0, figureOf), floor: figure(index + 1, figureOf), unit, against }) as const
    return [
      {
        what: `files of 4 KiB ${what}`,
        ...compared('files/s', ({ perSecond }) => perSecond),
        better: 'more',
        bar: isRequired ? 1 : null,
      },
      {
        what: `files of 4 KiB ${what}: processor time of one`,
        ...compared('µs', ({ processorUs }) => processorUs),
        better: 'less',
        bar: null,
      },
    ] satisfies readonly BenchResult[]
  })
}

/**
 * Measures the download of all uploaded files as one tar archive, compared with the program `tar` that writes into a
 * pipe.
 */
async function archiveRow({ port, headers }: MeasuredServer, folder: string): Promise<BenchResult> {
  const request = { port, headers, path: '/api/raw/?algo=tar' }
  const ours = async () => (await timeGet(request)).wholeMs
  const floor = async () => {
    const start = performance.now()
    const tar = spawn('tar', ['-cf', '-', '-C', folder, '.'], { stdio: ['ignore', 'pipe', 'ignore'] })
    tar.stdout.resume()
    await new Promise((resolve) => tar.once('close', resolve))
    return performance.now() - start
  }
  const times = await measureAlternately(3, ours, floor)
  return {
    what: 'all these files down as one tar',
    ...times,
    unit: 'ms',
    against: 'tar into a pipe',
    better: 'less',
    bar: 1,
  }
}
