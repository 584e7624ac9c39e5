import { spawn, spawnSync } from 'node:child_process'
import { closeSync, fstatSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { extKindOf, type ExtKind } from '../../src/server/storage/posix/calls/ext-journal.ts'
import { poweredDisk } from '../kit/mounts.ts'
import { ada, runServer } from '../kit/run-server.ts'
import { runLoad, cpuTimeMs } from './load-client.ts'
import { timeGet } from './measure.ts'
import {
  compiled,
  copyparty,
  dufs,
  goServer,
  nginx,
  personHeaders,
  rclone,
  type PeerServer,
} from './peers.ts'
import { makeSynchronous } from './synchronous.ts'
import { measureAlternately, median, type BenchResult } from './table.ts'
import { program, signedIn } from './bench-context.ts'

const files = 10_000
const rounds = 4
const filesARound = files / rounds
/** Size of the disk image: 4 GiB, which is enough for the files of all servers and rounds. */
const diskBytes = 4 * 1024 ** 3
/** The numbers of all rounds. The first round warms up the programs and is not counted. */
const allRounds = Array.from({ length: rounds + 1 }, (_, round) => round)
const atOnce = [5, 20] as const
const managers = ['rclone', 'dufs', 'copyparty'] as const
const names = ['ours', 'Go', 'nginx', ...managers] as const
const settleNothing = (): void => undefined
const body = 'small '.repeat(683).slice(0, 4096)

/**
 * A file server of the comparison: its requests for uploads and downloads, and the durability that its response to an
 * upload guarantees.
 */
type MeasuredServer = {
  readonly name: string
  readonly port: number
  readonly pid: number
  readonly method: 'POST' | 'PUT'
  readonly prefixes: { readonly up: string; readonly down: string }
  readonly headers: Readonly<Record<string, string>>
  /** Flushes the files to the disk that were not flushed before their uploads were answered. */
  readonly settle: () => void
  /**
   * True for file managers, whose speed our server must reach. A plain file server without users is only an upper bound
   * for comparison.
   */
  readonly isPeer: boolean
  /** True when files are flushed to the disk before their uploads are answered, which our server does. */
  readonly isFlushed: boolean
}

type RoundResult = { readonly perSecond: number; readonly processorUs: number }

/**
 * Measures uploads and downloads of 10,000 files of 4 KiB, with one call per file, and the download of all files as one
 * archive. The time of uploads ends when all files are flushed to the disk.
 *
 * No other file manager flushes files before it answers. For a fair comparison, their upload folders are synchronous
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
  const loadClient = await compiled('load-client')
  if (loadClient === null) return []
  const folder = await mkdtemp(path.join(tmpdir(), 'stowage-bench-many-'))
  const ext = extIn(folder)
  try {
    const own = await inFolder({
      loadClient,
      folder,
      ways: ['up', 'down'],
      where: '',
      isHeld: ext !== 'bare',
    })
    return [...own, ...(ext === 'journaled' ? [] : await onJournal(loadClient))]
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
async function onJournal(loadClient: string): Promise<readonly BenchResult[]> {
  const disk = poweredDisk(diskBytes, { hasJournal: true })
  if (disk === null) return []
  try {
    const where = ', ext4 with a journal'
    return await inFolder({ loadClient, folder: disk.folder, ways: ['up'], where, isHeld: true })
  } finally {
    disk.remove()
  }
}

/** The direction of the transfer, as seen by the client. */
type TransferDirection = 'up' | 'down'

/** Options of a benchmark run in one folder. */
type FolderBench = {
  readonly loadClient: string
  readonly folder: string
  readonly ways: readonly TransferDirection[]
  /** The suffix of the row titles, which names the file system of the folder. */
  readonly where: string
  /** True when a minimum ratio is required for uploads. */
  readonly isHeld: boolean
}

async function inFolder({
  loadClient,
  folder,
  ways,
  where,
  isHeld,
}: FolderBench): Promise<readonly BenchResult[]> {
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
    const ours = oursOn(server, await signedIn(server))
    const sides = [ours, ...sidesOf(peers, { folder, isSynchronous })]
    const results: BenchResult[] = []
    for (const connections of atOnce) {
      for (const way of ways) {
        const taken = await roundsOf[way](loadClient, sides, connections)
        results.push(...rowsOf({ way, what: `${way}, ${connections} at once${where}`, isHeld }, sides, taken))
      }
    }
    return ways.includes('down') ? [...results, await archiveRow(ours, folder)] : results
  } finally {
    for (const peer of Object.values(peers)) peer?.stop()
    await server.remove()
  }
}

const oursOn = (
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

/** Returns our server and the other servers that could be started. */
function sidesOf(
  peers: PeerServers,
  { folder, isSynchronous }: { readonly folder: string; readonly isSynchronous: boolean },
): readonly MeasuredServer[] {
  const sync = (): void => void spawnSync('sync', ['-f', folder])
  const plain = { method: 'PUT', prefixes: { up: '', down: '' }, headers: {}, isPeer: false } as const
  const later = (name: string) => ({
    ...plain,
    name: `${name}, all flushed once at the end`,
    settle: sync,
    isFlushed: false,
  })
  const alike = { settle: settleNothing, isFlushed: true }
  const manager = (name: string) => ({
    ...later(name),
    ...(isSynchronous ? { ...alike, name: `${name}, each flushed by its synchronous folder` } : {}),
    isPeer: true,
  })
  const wished = [
    { ...plain, ...alike, name: 'Go, each flushed as ours', peer: peers.go },
    { ...later('nginx'), peer: peers.nginx },
    { ...manager('rclone'), peer: peers.rclone },
    { ...manager('dufs'), headers: personHeaders, peer: peers.dufs },
    { ...manager('copyparty'), headers: personHeaders, peer: peers.copyparty },
  ]
  return wished.flatMap(({ peer, ...side }) =>
    peer === null ? [] : [{ ...side, port: peer.port, pid: peer.pid }],
  )
}

const folderOf = (name: string, connections: number, round: number): string =>
  `/${name.split(/\W/)[0]}-${connections}-${round}`

/** Creates all folders before the first request, because some of the other servers cache listings for some time. */
async function makeFolders(folder: string): Promise<void> {
  for (const name of names) {
    for (const connections of atOnce) {
      for (const round of allRounds) await mkdir(path.join(folder, folderOf(name, connections, round)))
    }
  }
  await mkdir(path.join(folder, 'down'))
  for (let n = 0; n < filesARound; n += 1)
    await writeFile(path.join(folder, 'down', `file-${String(n).padStart(5, '0')}.txt`), body)
}

/** Returns the folders into which the file managers upload. */
const peerFoldersIn = (folder: string): readonly string[] =>
  managers.flatMap((name) =>
    atOnce.flatMap((connections) =>
      allRounds.map((round) => path.join(folder, folderOf(name, connections, round))),
    ),
  )

/** Uploads to all servers alternately, and into new folders in each round. */
async function upRounds(loadClient: string, sides: readonly MeasuredServer[], connections: number) {
  const taken = sides.map((): RoundResult[] => [])
  for (const round of allRounds) {
    for (const [at, side] of sides.entries()) {
      const where = folderOf(side.name, connections, round)
      const asking = { ...side, path: `${side.prefixes.up}${where}/file-#####.txt`, body, connections }
      const one = await take(loadClient, side, { ...asking, calls: filesARound })
      if (round > 0) taken[at]!.push(one)
    }
  }
  return taken
}

async function downRounds(loadClient: string, sides: readonly MeasuredServer[], connections: number) {
  const taken = sides.map((): RoundResult[] => [])
  for (const round of allRounds) {
    for (const [at, side] of sides.entries()) {
      const { port, headers } = side
      const asking = { port, headers, path: `${side.prefixes.down}/down/file-#####.txt`, connections }
      const one = await take(
        loadClient,
        { ...side, settle: settleNothing },
        { ...asking, calls: filesARound },
      )
      if (round > 0) taken[at]!.push(one)
    }
  }
  return taken
}

const roundsOf = { up: upRounds, down: downRounds } as const

async function take(
  loadClient: string,
  side: MeasuredServer,
  asking: Parameters<typeof runLoad>[1],
): Promise<RoundResult> {
  const before = cpuTimeMs(side.pid)
  const { calls, allMs } = await runLoad(loadClient, asking)
  const start = performance.now()
  side.settle()
  const processorUs = ((cpuTimeMs(side.pid) - before) * 1000) / calls
  return { perSecond: (calls / (allMs + performance.now() - start)) * 1000, processorUs }
}

/**
 * Compares our server with each of the other servers. A minimum ratio is required against file managers, and for
 * uploads only against file managers whose answers give the same guarantee.
 */
function rowsOf(
  { way, what, isHeld }: { readonly way: TransferDirection; readonly what: string; readonly isHeld: boolean },
  sides: readonly MeasuredServer[],
  taken: readonly (readonly RoundResult[])[],
): readonly BenchResult[] {
  const figure = (at: number, of: (one: RoundResult) => number): number => median((taken[at] ?? []).map(of))
  return sides.slice(1).flatMap(({ name, isPeer, isFlushed }, index) => {
    const isUp = way === 'up'
    const against = isUp ? name : name.split(',')[0]!
    const isAlike = isPeer && (!isUp || (isFlushed && isHeld))
    const compared = (unit: string, of: (one: RoundResult) => number) =>
      ({ ours: figure(0, of), floor: figure(index + 1, of), unit, against }) as const
    return [
      {
        what: `files of 4 KiB ${what}`,
        ...compared('files/s', ({ perSecond }) => perSecond),
        better: 'more',
        bar: isAlike ? 1 : null,
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
 * Measures the download of all uploaded files as one tar archive, against the program `tar` that writes into a pipe.
 */
async function archiveRow({ port, headers }: MeasuredServer, folder: string): Promise<BenchResult> {
  const asked = { port, headers, path: '/api/raw/?algo=tar' }
  const ours = async () => (await timeGet(asked)).wholeMs
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
