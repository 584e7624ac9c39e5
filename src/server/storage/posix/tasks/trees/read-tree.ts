import { readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { AppError } from '../../../../../shared/domain/failure.ts'
import type { Entry } from '../../../../../shared/domain/entry.ts'
import { nameOf, type Path } from '../../../../../shared/domain/path.ts'
import type { Facts } from '../../calls/calls.ts'
import { errnoOf, hold, openAt, opening, reopen } from '../../calls/descriptors.ts'
import { entryOf, isSame, kindOf } from '../../facts.ts'
import { find, type Scene } from '../../resolve.ts'
import { createTreeBatches, type TreeBatches } from './tree-batches.ts'
import { entryWith, walkFolder, type Visited } from './walk.ts'

/** A file up to this size comes in one piece; of larger ones, less room than this is not worth a read of its own. */
const wholeBytes = 128 * 1024

/** What can be wrong with one entry and leaves the others as they are: it has gone, or may not be opened. */
const passedOver: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM']
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
    await walkFolder({ scene, visit: (visited) => visit(reading, visited) }, found, path)
  } else if (kind === 'file') {
    using file = hold(reopen(found.descriptor, opening.read))
    await readFile(reading, file.descriptor, { name: nameOf(path), path })
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
  const descriptor = await openOrPass(scene, visited)
  if (descriptor === null) return
  using file = hold(descriptor)
  await readFile(reading, file.descriptor, { name, path })
}

/** The file, or null when it is no longer there or may not be read. A handle first, so that nothing but a file is ever opened. */
async function openOrPass(scene: Scene, visited: Visited): Promise<number | null> {
  try {
    using found = await handleOf(scene, visited)
    return kindOf(found.facts) === 'file' ? reopen(found.descriptor, opening.read) : null
  } catch (error) {
    if (passedOver.includes(errnoOf(error))) return null
    if (error instanceof AppError && passedOverWords.includes(error.code)) return null
    throw error
  }
}

async function handleOf(scene: Scene, { folder, name, facts, path }: Visited) {
  if (kindOf(facts) === 'link') return find(scene, path)
  const held = hold(openAt({ folder: folder.descriptor, name }, opening.handle))
  const now = scene.calls.facts(held.descriptor)
  if (isSame(now, facts)) return { ...held, facts: now }
  held[Symbol.dispose]()
  throw new AppError('not-found')
}

type Named = { readonly name: string; readonly path: Path }

/** A file as it is open: it has so many bytes, or the reading fails. */
async function readFile(reading: Reading, descriptor: number, { name, path }: Named): Promise<void> {
  const { scene, batches } = reading
  const facts = scene.calls.facts(descriptor)
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
