import { spawn, spawnSync } from 'node:child_process'
import { closeSync, fstatSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { extOf, type Ext } from '../../src/server/storage/posix/calls/ext.ts'
import { poweredDisk } from '../kit/mounts.ts'
import { ada, runServer } from '../kit/run-server.ts'
import { askOften, processorMs } from './asker.ts'
import { timeGet } from './measure.ts'
import { compiled, copyparty, dufs, goServer, nginx, personHeaders, rclone, type Peer } from './peers.ts'
import { makeSynchronous } from './synchronous.ts'
import { byTurns, median, type Result } from './table.ts'
import { program, signedIn } from './world.ts'

const files = 10_000
const rounds = 4
const filesARound = files / rounds
/** Room for what all of them put there. */
const diskBytes = 4 * 1024 ** 3
/** The first round is for the programs to become warm, and is not counted. */
const allRounds = Array.from({ length: rounds + 1 }, (_, round) => round)
const atOnce = [5, 20] as const
const managers = ['rclone', 'dufs', 'copyparty'] as const
const names = ['ours', 'Go', 'nginx', ...managers] as const
const settleNothing = (): void => undefined
const body = 'small '.repeat(683).slice(0, 4096)

/** A server of files: how a file is put and taken, and what an answer to an upload promises. */
type Side = {
  readonly name: string
  readonly port: number
  readonly pid: number
  readonly method: 'POST' | 'PUT'
  readonly prefixes: { readonly up: string; readonly down: string }
  readonly headers: Readonly<Record<string, string>>
  /** Flushes what an answer did not promise to be on the disk. */
  readonly settle: () => void
  /** A file manager is to be beaten; a bare file server, which asks nobody who they are, says what there is to win. */
  readonly isPeer: boolean
  /** Whether a file is on the disk when its upload is answered, as with us. */
  readonly isFlushed: boolean
}

type Taken = { readonly perSecond: number; readonly processorUs: number }

/**
 * 10,000 files of 4 KiB up and down, one call each, and down as one archive. Every file is on the disk when its time is taken.
 *
 * No file manager beside us flushes what it answers for. Where the file system can, the kernel does it for them: their folders of
 * uploads are synchronous, each write and each name in them is on the disk when the call returns. Ours are not: we flush ourselves,
 * and would pay twice. It makes them no safer against a file that is half written, so the promise they are held to is the lesser one.
 *
 * What goes up depends on the file system. So it goes to the machine's own and, where that is another, to ext4 with a journal, as
 * most systems are installed with. There is no bar on ext without one: we alone flush each file twice there, so that no name ever shows
 * what another file held.
 */
export async function benchMany(): Promise<readonly Result[]> {
  const asker = await compiled('asker')
  if (asker === null) return []
  const folder = await mkdtemp(path.join(tmpdir(), 'stowage-bench-many-'))
  const ext = extIn(folder)
  try {
    const own = await inFolder({ asker, folder, ways: ['up', 'down'], where: '', isHeld: ext !== 'bare' })
    return [...own, ...(ext === 'journaled' ? [] : await onJournal(asker))]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function extIn(folder: string): Ext | null {
  const handle = openSync(folder, 'r')
  try {
    return extOf(handle, fstatSync(handle, { bigint: true }).dev)
  } finally {
    closeSync(handle)
  }
}

/** Nothing where no disk may be mounted. */
async function onJournal(asker: string): Promise<readonly Result[]> {
  const disk = poweredDisk(diskBytes, { hasJournal: true })
  if (disk === null) return []
  try {
    const where = ', ext4 with a journal'
    return await inFolder({ asker, folder: disk.folder, ways: ['up'], where, isHeld: true })
  } finally {
    disk.remove()
  }
}

type Way = 'up' | 'down'

type Bench = {
  readonly asker: string
  readonly folder: string
  readonly ways: readonly Way[]
  /** What the rows say of the folder. */
  readonly where: string
  /** Whether there is a bar for what goes up. */
  readonly isHeld: boolean
}

async function inFolder({ asker, folder, ways, where, isHeld }: Bench): Promise<readonly Result[]> {
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
    const results: Result[] = []
    for (const connections of atOnce) {
      for (const way of ways) {
        const taken = await roundsOf[way](asker, sides, connections)
        results.push(...rowsOf({ way, what: `${way}, ${connections} at once${where}`, isHeld }, sides, taken))
      }
    }
    return ways.includes('down') ? [...results, await archiveRow(ours, folder)] : results
  } finally {
    for (const peer of Object.values(peers)) peer?.stop()
    await server.remove()
  }
}

const oursOn = ({ port, pid }: Awaited<ReturnType<typeof runServer>>, headers: Side['headers']): Side => ({
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

type Peers = Readonly<Record<'go' | 'nginx' | 'rclone' | 'dufs' | 'copyparty', Peer | null>>

/** Those that could be started. */
function sidesOf(
  peers: Peers,
  { folder, isSynchronous }: { readonly folder: string; readonly isSynchronous: boolean },
): readonly Side[] {
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

/** Before anybody looks: some peers believe for a while what they have seen. */
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

/** Where other file managers put what is uploaded. */
const peerFoldersIn = (folder: string): readonly string[] =>
  managers.flatMap((name) =>
    atOnce.flatMap((connections) =>
      allRounds.map((round) => path.join(folder, folderOf(name, connections, round))),
    ),
  )

/** By turns, each into new folders. */
async function upRounds(asker: string, sides: readonly Side[], connections: number) {
  const taken = sides.map((): Taken[] => [])
  for (const round of allRounds) {
    for (const [at, side] of sides.entries()) {
      const where = folderOf(side.name, connections, round)
      const asking = { ...side, path: `${side.prefixes.up}${where}/file-#####.txt`, body, connections }
      const one = await take(asker, side, { ...asking, calls: filesARound })
      if (round > 0) taken[at]!.push(one)
    }
  }
  return taken
}

async function downRounds(asker: string, sides: readonly Side[], connections: number) {
  const taken = sides.map((): Taken[] => [])
  for (const round of allRounds) {
    for (const [at, side] of sides.entries()) {
      const { port, headers } = side
      const asking = { port, headers, path: `${side.prefixes.down}/down/file-#####.txt`, connections }
      const one = await take(asker, { ...side, settle: settleNothing }, { ...asking, calls: filesARound })
      if (round > 0) taken[at]!.push(one)
    }
  }
  return taken
}

const roundsOf = { up: upRounds, down: downRounds } as const

async function take(asker: string, side: Side, asking: Parameters<typeof askOften>[1]): Promise<Taken> {
  const before = processorMs(side.pid)
  const { calls, allMs } = await askOften(asker, asking)
  const start = performance.now()
  side.settle()
  const processorUs = ((processorMs(side.pid) - before) * 1000) / calls
  return { perSecond: (calls / (allMs + performance.now() - start)) * 1000, processorUs }
}

/** Ours against each of the others. The bar is for file managers: with what goes up, for those that promise the same. */
function rowsOf(
  { way, what, isHeld }: { readonly way: Way; readonly what: string; readonly isHeld: boolean },
  sides: readonly Side[],
  taken: readonly (readonly Taken[])[],
): readonly Result[] {
  const figure = (at: number, of: (one: Taken) => number): number => median((taken[at] ?? []).map(of))
  return sides.slice(1).flatMap(({ name, isPeer, isFlushed }, index) => {
    const isUp = way === 'up'
    const against = isUp ? name : name.split(',')[0]!
    const isAlike = isPeer && (!isUp || (isFlushed && isHeld))
    const compared = (unit: string, of: (one: Taken) => number) =>
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
    ] satisfies readonly Result[]
  })
}

/** All that was uploaded, as one tar, against `tar` into a pipe. */
async function archiveRow({ port, headers }: Side, folder: string): Promise<Result> {
  const asked = { port, headers, path: '/api/raw/?algo=tar' }
  const ours = async () => (await timeGet(asked)).wholeMs
  const floor = async () => {
    const start = performance.now()
    const tar = spawn('tar', ['-cf', '-', '-C', folder, '.'], { stdio: ['ignore', 'pipe', 'ignore'] })
    tar.stdout.resume()
    await new Promise((resolve) => tar.once('close', resolve))
    return performance.now() - start
  }
  const times = await byTurns(3, ours, floor)
  return {
    what: 'all these files down as one tar',
    ...times,
    unit: 'ms',
    against: 'tar into a pipe',
    better: 'less',
    bar: 1,
  }
}
