import type { Entry } from '../../../shared/domain/entry.ts'
import type { Path } from '../../../shared/domain/path.ts'
import type { Narrow, Op, OpenFile, Storage, TreePiece } from '../port.ts'
import { check } from './check.ts'
import { findNames } from './find-names.ts'
import type { Ground } from './ground.ts'
import { placeOf, run, stream } from './ground.ts'
import { startListing } from './listing.ts'
import { fileOf } from './open-file.ts'
import { narrowed, refuseReading, refuseWriting } from './rules.ts'
import type { Opened, OpenedRoot } from './tasks/look.ts'
import { unpackPieces, type SentPieces } from './tasks/trees/sent-pieces.ts'
import type { WalkedEntry } from './tasks/trees/walk.ts'
import { uploadsOn } from './uploading.ts'
import { writerOn } from './write.ts'
import { holdOpen } from './writing.ts'

/** The port over a root: refuses what can be told from the path, and gives the rest to a thread. */
export function storageOf(ground: Ground): Storage {
  const { volume, rules } = ground
  return {
    narrow: async (to) => narrow(ground, to),
    stat: async (path, op) => run(ground, { task: 'stat', input: { path }, op }),
    list: async (path, { order, sniffs = false, ...op }) => {
      refuseReading(rules)
      return startListing(stream(ground, { task: 'list', input: { path, order, sniffs }, op }))
    },
    walk: (path, op) => walk(ground, path, op),
    find: (path, op) => findNames(ground, path, op),
    open: async (path, op) => {
      refuseReading(rules)
      return openAtOnce(ground, path, op) ?? openFile(ground, path, op)
    },
    readTree: (path, op) => readTree(ground, path, op),
    checksum: async (path, { algorithm, ...op }) => {
      refuseReading(rules)
      return run(ground, { task: 'checksum', input: { path, algorithm }, op })
    },
    localFolder: async (path, op) => run(ground, { task: 'localFolder', input: { path }, op }),
    measure: async (path, { follows = false, ...op } = {}) => {
      refuseReading(rules)
      return run<number>(ground, { task: 'measure', input: { path, follows }, op })
    },
    usage: async (path, op) => {
      refuseReading(rules)
      return run(ground, { task: 'usage', input: { path }, op })
    },
    write: writerOn(ground),
    ...uploadsOn(ground),
    makeFolder: async (path, op = {}) => {
      refuseWriting(rules)
      const { parents: hasParents = false, mayExist = false } = op
      const input = { path, hasParents, mayExist, dirMode: volume.dirMode }
      return run(ground, { task: 'makeFolder', input, op })
    },
    move: async (from, to, op) => transfer(ground, 'move', { from, to, ...op }),
    copy: async (from, to, op) => transfer(ground, 'copy', { from, to, ...op }),
    check: (meant, op) => check(ground, meant, op),
    remove: async (path, op) => {
      refuseWriting(rules)
      await run(ground, { task: 'remove', input: { path, recursive: op.recursive }, op })
    },
  }
}

type Transfer = Op & {
  readonly from: Path
  readonly to: Path
  readonly overwrite: 'create' | 'upsert'
  readonly mostBytes?: number | undefined
}

async function transfer(
  ground: Ground,
  task: 'move' | 'copy',
  { signal, ...input }: Transfer,
): Promise<Entry> {
  refuseWriting(ground.rules)
  if (task === 'copy') refuseReading(ground.rules)
  return run(ground, { task, input: { ...input, dirMode: ground.volume.dirMode }, op: { signal } })
}

async function narrow(ground: Ground, to: Narrow): Promise<Storage> {
  const { volume, rules } = ground
  const path = to.at ?? ('/' as Path)
  if (path === '/') return storageOf({ ...ground, rules: narrowed(rules, to, [path]) })
  const opened = await run<OpenedRoot>(ground, {
    task: 'openRoot',
    input: { path },
    onLate: closeLate(ground),
  })
  const held = { root: volume.roots.keep(opened), top: ground.held?.top ?? volume.top }
  return storageOf({ volume, held, rules: narrowed(rules, to, [path, opened.path]) })
}

function openAtOnce(ground: Ground, path: Path, op: Op = {}): OpenFile | null {
  const { atOnce, calls } = ground.volume
  if (atOnce === null || op.signal?.aborted === true) return null
  const known = atOnce.read(placeOf(ground, path), path)
  return known === null ? null : fileOf(known, { calls, signal: op.signal })
}

async function openFile(ground: Ground, path: Path, op: Op = {}): Promise<OpenFile> {
  const { atOnce, calls } = ground.volume
  const job = { task: 'openFile', input: { path }, op, isShort: true, onLate: closeLate(ground) }
  const opened = await run<Opened>(ground, job)
  atOnce?.seen()
  return fileOf(opened, { calls, signal: op.signal })
}

/** Closes what a disk opened too late; what was read at once is closed already. */
const closeLate =
  ({ volume }: Ground) =>
  (late: { readonly descriptor: number } | { readonly bytes: Uint8Array }): void =>
    void holdOpen(volume.calls, 'descriptor' in late ? [late.descriptor] : [])
      .release()
      .catch(() => {})

async function* walk(ground: Ground, path: Path, op: Op = {}): AsyncGenerator<readonly WalkedEntry[], void> {
  refuseReading(ground.rules)
  yield* stream<WalkedEntry[]>(ground, { task: 'walk', input: { path }, op })
}

async function* readTree(
  ground: Ground,
  path: Path,
  { sums = false, ...op }: NonNullable<Parameters<Storage['readTree']>[1]> = {},
): AsyncGenerator<readonly TreePiece[], void> {
  refuseReading(ground.rules)
  const sent = stream<SentPieces>(ground, { task: 'readTree', input: { path, sums }, op })
  for await (const pieces of sent) yield unpackPieces(pieces)
}
