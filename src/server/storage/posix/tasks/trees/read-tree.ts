import { readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { AppError } from '../../../../../shared/domain/failure.ts'
import type { Entry } from '../../../../../shared/domain/entry.ts'
import { nameOf, type Path } from '../../../../../shared/domain/path.ts'
import type { Facts, Seat } from '../../calls/calls.ts'
import type { Held } from '../../calls/descriptors.ts'
import { errnoOf, hold, opening, reopen } from '../../calls/descriptors.ts'
import { entryOf, kindOf } from '../../facts.ts'
import { find, isOwn, type Scene } from '../../resolve.ts'
import { createTreeBatches, type TreeBatches } from './tree-batches.ts'
import { entryWith, walkFolder, type Visited } from './walk.ts'

/** A file up to this size comes in one piece; of larger ones, less room than this is not worth a read of its own. */
const wholeBytes = 128 * 1024

/** What can be wrong with one entry and leaves the others as they are: it has gone, is no file by now, or may not be opened. */
const passedOver: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EACCES', 'EPERM']
const passedOverWords: readonly string[] = ['not-found', 'not-a-folder', 'forbidden', 'link-loop']

type Reading = { readonly scene: Scene; readonly batches: TreeBatches; readonly sums: boolean }

export type ReadTree = {
  readonly path: Path
  /** Whether bytes come with the CRC-32 of their file up to there. */
  readonly sums: boolean
}

/** Everything below a folder with the bytes of its files, or one file. Blocking reads: the thread does nothing else meanwhile. */
export async function readTree(scene: Scene, { path, sums }: ReadTree): Promise<void> {
  using found = await find(scene, path)
  const reading: Reading = { scene, batches: createTreeBatches(scene.link), sums }
  const kind = kindOf(found.facts)
  if (kind === 'folder') {
    const visits = {
      visit: (visited: Visited) => visit(reading, visited),
      visitFile: (file: Seated) => visitFile(reading, file),
    }
    await walkFolder({ scene, ...visits }, found, path)
  } else if (kind === 'file') {
    using file = hold(reopen(found.descriptor, opening.read))
    await readFile(reading, { ...file, facts: found.facts }, { name: nameOf(path), path })
  } else throw new AppError('forbidden')
  await reading.batches.flush()
}

async function visit(reading: Reading, visited: Visited): Promise<void> {
  const { scene } = reading
  const { name, facts, target, path } = visited
  scene.link.check()
  if (kindOf(facts) !== 'file' && (target === null || target === undefined || kindOf(target) !== 'file')) {
    return reading.batches.push({ kind: 'entry', entry: { ...entryWith(name, facts, target), path } })
  }
  if (kindOf(facts) !== 'link') return visitFile(reading, visited)
  const linked = await openLinkOrPass(scene, path)
  if (linked === null) return
  using file = linked
  await readFile(reading, file, { name, path })
}

type Seated = Pick<Visited, 'folder' | 'name' | 'path'>

/** What its folder calls a file. */
async function visitFile(reading: Reading, { folder, name, path }: Seated): Promise<void> {
  reading.scene.link.check()
  const descriptor = openOrPass(reading.scene, { folder: folder.descriptor, name })
  if (descriptor === null) return
  using file = hold(descriptor)
  const facts = reading.scene.calls.facts(descriptor)
  if (kindOf(facts) !== 'file' || isOwn(reading.scene, facts)) return
  await readFile(reading, { ...file, facts }, { name, path })
}

/** The file, or null when it is no longer there or may not be read. */
function openOrPass(scene: Scene, seat: Seat): number | null {
  try {
    return scene.calls.openFile(seat)
  } catch (error) {
    if (passedOver.includes(errnoOf(error))) return null
    throw error
  }
}

type Opened = Held & { readonly facts: Facts }

/** What a link leads to if that is a file; a handle first, so that nothing else is ever opened. */
async function openLinkOrPass(scene: Scene, path: Path): Promise<Opened | null> {
  try {
    using found = await find(scene, path)
    if (kindOf(found.facts) !== 'file') return null
    return { ...hold(reopen(found.descriptor, opening.read)), facts: found.facts }
  } catch (error) {
    if (passedOver.includes(errnoOf(error))) return null
    if (error instanceof AppError && passedOverWords.includes(error.code)) return null
    throw error
  }
}

type Named = { readonly name: string; readonly path: Path }

/** A file as it is open: it has so many bytes, or the reading fails. */
async function readFile(
  reading: Reading,
  { descriptor, facts }: Omit<Opened, typeof Symbol.dispose>,
  { name, path }: Named,
): Promise<void> {
  const { scene, batches } = reading
  const entry: Entry = entryOf(name, facts)
  const end = facts.sizeBytes
  await batches.push({ kind: 'entry', entry: { ...entry, path } })
  let crc = 0
  for (let at = 0; at < end;) {
    scene.link.check()
    const room = await batches.room(Math.min(wholeBytes, end - at))
    const bytes = readSome(descriptor, room.subarray(0, end - at), at)
    at += bytes.length
    crc = reading.sums ? crc32(bytes, crc) : crc
    await batches.push(reading.sums ? { kind: 'bytes', bytes, crc } : { kind: 'bytes', bytes })
  }
  refuseChanged(facts, scene.calls.facts(descriptor))
}

/** Fills the room as far as the file goes. */
function readSome(descriptor: number, room: Uint8Array, at: number): Uint8Array {
  for (let filled = 0; filled < room.length;) {
    const length = readSync(descriptor, room, filled, room.length - filled, at + filled)
    if (length === 0) throw new AppError('changed-meanwhile', { reason: 'a file has become shorter' })
    filled += length
  }
  return room
}

/** Renamed or removed is not changed: its bytes are still those that were asked for. */
function refuseChanged(before: Facts, after: Facts): void {
  if (before.sizeBytes === after.sizeBytes && before.modifiedNs === after.modifiedNs) return
  throw new AppError('changed-meanwhile', { reason: 'a file has changed while it was read' })
}
