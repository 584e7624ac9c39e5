import { closeSync, fsync, futimesSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Entry } from '../../../../shared/domain/entry.ts'
import type { Seat } from '../calls/calls.ts'
import {
  errnoOf,
  hold,
  openAt,
  opening,
  openUnnamed,
  reopen,
  setMode,
  unflushable,
  unlinkAt,
} from '../calls/descriptors.ts'
import { entryOf } from '../facts.ts'
import { placeNew } from '../place-new.ts'
import type { Scene } from '../resolve.ts'
import { createFolderFlushes } from '../writing.ts'
import type { Spot } from './spot.ts'
import { noteStaged } from './staged.ts'
import type { Stage } from './stage.ts'
import { keyOf, openJudged } from './stage.ts'
import { requireMounted } from './top.ts'

const fsyncAsync = promisify(fsync)

/** A small file that is there as a whole before it is begun; nothing may have its name. */
export type WholePut = Stage & {
  readonly overwrite: 'create'
  readonly bytes: Uint8Array
  readonly fileMode: number
  /** What the file says of its last change. */
  readonly modifiedMs: number
}

export type Put = { readonly entry: Entry } & Pick<Spot, 'madeDepths'>

type New = { readonly descriptor: number; readonly place: () => void; [Symbol.dispose](): void }

/**
 * Makes a small file in one visit: judged, written, flushed, and put in its place in one step that fails where the name is taken. The
 * thread serves others while the disk flushes. Whatever fails before the last step, a kill of the server too, leaves no trace.
 */
export function wholePutter(): (scene: Scene, input: WholePut) => Promise<Put> {
  const flushes = createFolderFlushes(flushFolderOf)
  return async (scene, input) => {
    using spot = await openJudged(scene, input, false)
    const putting = { scene, spot, input }
    const entry = (await putNameless(putting)) ?? (await putStaged(putting))
    await flushes(keyOf(spot.folder.facts), spot.seat.folder)
    return { entry, madeDepths: spot.madeDepths }
  }
}

/** Null where the file system knows no files without a name, or gives them none later. */
async function putNameless(putting: Putting): Promise<Entry | null> {
  try {
    using file = openNameless(putting.scene, putting.spot)
    return file === null ? null : await put(file, putting)
  } catch (error) {
    if (isUnable(error)) return null
    throw error
  }
}

async function putStaged(putting: Putting): Promise<Entry> {
  using file = await openStaged(putting.scene, putting.spot)
  return await put(file, putting)
}

async function put({ descriptor, place }: New, { scene, spot, input }: Putting): Promise<Entry> {
  writeAll(descriptor, input.bytes)
  futimesSync(descriptor, input.modifiedMs / 1000, input.modifiedMs / 1000)
  setMode(descriptor, input.fileMode)
  await fsyncAsync(descriptor)
  scene.link.check()
  requireMounted(scene, spot.seat.folder)
  place()
  return entryOf(spot.seat.name, scene.calls.facts(descriptor))
}

type Putting = { readonly scene: Scene; readonly spot: Spot; readonly input: WholePut }

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at, bytes.length - at)
}

const isUnable = (error: unknown): boolean =>
  ['EINVAL', 'EISDIR', 'ENOENT', 'ENOSYS', 'EOPNOTSUPP', 'EPERM', 'EXDEV'].includes(errnoOf(error))

/** A file without a name, which the kernel forgets with its descriptor; null where there are none. */
function openNameless({ calls }: Scene, { seat }: Spot): New | null {
  const { nameNew } = calls
  if (nameNew === null) return null
  const descriptor = openUnnamed(seat.folder, 0o600)
  return {
    descriptor,
    place: () => nameNew(descriptor, seat),
    [Symbol.dispose]: () => closeSync(descriptor),
  }
}

/** A hidden file, which the journal knows of before it is there. */
async function openStaged(scene: Scene, { seat }: Spot): Promise<New> {
  const from = { folder: seat.folder, name: scene.newStagedName() }
  await noteStaged(scene, from)
  const descriptor = openAt(from, opening.createNew, 0o600)
  let isPlaced = false
  return {
    descriptor,
    place() {
      placeNew(scene.calls, from, seat)
      isPlaced = true
    },
    [Symbol.dispose]() {
      closeSync(descriptor)
      if (!isPlaced) unlinkQuietly(from)
    },
  }
}

/** Its folder may be gone with it. */
function unlinkQuietly(seat: Seat): void {
  try {
    unlinkAt(seat)
  } catch {
    // it is gone
  }
}

/** As `flushFolder`, while the thread does something else. */
async function flushFolderOf(folder: number): Promise<void> {
  try {
    using readable = hold(reopen(folder, opening.folder))
    await fsyncAsync(readable.descriptor)
  } catch (error) {
    if (!unflushable.includes(errnoOf(error))) throw error
  }
}
