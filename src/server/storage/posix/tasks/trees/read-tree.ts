import { readSync } from 'node:fs'
import { AppError } from '../../../../../shared/domain/failure.ts'
import type { Entry } from '../../../../../shared/domain/entry.ts'
import { nameOf, type Path } from '../../../../../shared/domain/path.ts'
import type { TreePiece } from '../../../port.ts'
import type { Facts } from '../../calls/calls.ts'
import { errnoOf, hold, openAt, opening, reopen } from '../../calls/descriptors.ts'
import { entryOf, isSame, kindOf } from '../../facts.ts'
import { find, type Scene } from '../../resolve.ts'
import { entryWith, walkFolder, type Visited } from './walk.ts'

/** Bytes sent at once; as many batches as a stream may be ahead bound the memory of a reading. */
const batchBytes = 256 * 1024
/** Pieces sent at once. */
const batchPieces = 512
/** Less room than this is not worth a read of its own. */
const smallestRead = 4096

/** What can be wrong with one entry and leaves the others as they are: it has gone, or may not be opened. */
const passedOver: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM']
const passedOverWords: readonly string[] = ['not-found', 'not-a-folder', 'forbidden', 'link-loop']

/** Gathers pieces, and sends them with the buffer that their bytes lie in. */
type Batch = {
  pieces: TreePiece[]
  buffer: Uint8Array<ArrayBuffer>
  usedBytes: number
}

type Reading = { readonly scene: Scene; readonly batch: Batch }

/** Everything below a folder with the bytes of its files, or one file. Blocking reads: the thread does nothing else meanwhile. */
export async function readTree(scene: Scene, { path }: { readonly path: Path }): Promise<void> {
  using found = await find(scene, path)
  const reading: Reading = { scene, batch: emptyBatch() }
  const kind = kindOf(found.facts)
  if (kind === 'folder') {
    await walkFolder({ scene, visit: (visited) => visit(reading, visited) }, found, path)
  } else if (kind === 'file') {
    using file = hold(reopen(found.descriptor, opening.read))
    await readFile(reading, file.descriptor, { name: nameOf(path), path })
  } else throw new AppError('forbidden')
  await send(reading)
}

const emptyBatch = (): Batch => ({ pieces: [], buffer: new Uint8Array(batchBytes), usedBytes: 0 })

async function send({ scene, batch }: Reading): Promise<void> {
  const { pieces, buffer, usedBytes } = batch
  if (pieces.length === 0) return
  Object.assign(batch, emptyBatch())
  await scene.link.emit(pieces, usedBytes > 0 ? [buffer.buffer] : [])
}

async function visit(reading: Reading, visited: Visited): Promise<void> {
  const { scene } = reading
  const { name, facts, target, path } = visited
  scene.link.check()
  if (kindOf(facts) !== 'file' && (target === null || target === undefined || kindOf(target) !== 'file')) {
    return push(reading, { kind: 'entry', entry: { ...entryWith(name, facts, target), path } })
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
  const { calls } = reading.scene
  const facts = calls.facts(descriptor)
  const entry: Entry = entryOf(name, facts)
  await push(reading, { kind: 'entry', entry: { ...entry, path } })
  for (let at = 0; at < facts.sizeBytes;) {
    reading.scene.link.check()
    at += await readSome(reading, descriptor, { at, end: facts.sizeBytes })
  }
  refuseChanged(facts, calls.facts(descriptor))
}

async function readSome(
  reading: Reading,
  descriptor: number,
  { at, end }: { readonly at: number; readonly end: number },
): Promise<number> {
  const { batch } = reading
  const room = batch.buffer.length - batch.usedBytes
  if (room < Math.min(smallestRead, end - at)) await send(reading)
  const { buffer, usedBytes } = batch
  const wanted = Math.min(buffer.length - usedBytes, end - at)
  const length = readSync(descriptor, buffer, usedBytes, wanted, at)
  if (length === 0) throw new AppError('changed-meanwhile', { reason: 'a file has become shorter' })
  batch.usedBytes += length
  await push(reading, { kind: 'bytes', bytes: buffer.subarray(usedBytes, usedBytes + length) })
  return length
}

async function push(reading: Reading, piece: TreePiece): Promise<void> {
  const { batch } = reading
  batch.pieces.push(piece)
  if (batch.pieces.length >= batchPieces || batch.usedBytes === batch.buffer.length) await send(reading)
}

/** Renamed or removed is not changed: its bytes are still those that were asked for. */
function refuseChanged(before: Facts, after: Facts): void {
  if (before.sizeBytes === after.sizeBytes && before.modifiedNs === after.modifiedNs) return
  throw new AppError('changed-meanwhile', { reason: 'a file has changed while it was read' })
}
