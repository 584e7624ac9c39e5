import { readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { AppError } from '../../../../shared/domain/failure.ts'
import type { Entry } from '../../../../shared/domain/entry.ts'
import { nameOf, type Path } from '../../../../shared/domain/path.ts'
import type { EntryLocation } from '../calls/file-system-calls.ts'
import { entryOf, kindOf, type FileStat } from '../calls/file-stat.ts'
import { errnoOf, disposable, openFlags, reopen, type DisposableDescriptor } from '../calls/descriptors.ts'
import { resolvePath, isOwnFile } from '../resolution/resolve-path.ts'
import { type TaskContext } from '../resolution/task-context.ts'
import { createTreeBatches, type TreeBatches } from './tree-batches.ts'
import { entryWith, walkFolder, type VisitedEntry } from './walk-tree.ts'

/**
 * A file of up to this size in bytes (128 KiB) is sent in one item. For a larger file, a new buffer is used when the
 * current buffer has less free space than this, because many small reads would be slow.
 */
const wholeFileBytes = 128 * 1024

/** Error codes for which an entry is skipped: it no longer exists, is no longer a file, or may not be opened. */
const skippedErrnos: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EACCES', 'EPERM']
const skippedCodes: readonly string[] = ['not-found', 'not-a-folder', 'forbidden', 'link-loop']

type TreeReadState = { readonly context: TaskContext; readonly batches: TreeBatches; readonly sums: boolean }

export type ReadTreeInput = {
  readonly path: Path
  /** True when the CRC-32 of each file is computed while the file is read. */
  readonly sums: boolean
}

/**
 * Sends all entries below a folder and the contents of its files to the main thread. When the path is a file, only this
 * file is sent. Reads block, so the thread runs no other task during a read.
 */
export async function readTree(context: TaskContext, { path, sums }: ReadTreeInput): Promise<void> {
  using found = await resolvePath(context, path)
  const read: TreeReadState = { context, batches: createTreeBatches(context.link), sums }
  const kind = kindOf(found.facts)
  if (kind === 'folder') {
    const visits = {
      visit: (visited: VisitedEntry) => visit(read, visited),
      visitFile: (file: FileInFolder) => visitFile(read, file),
    }
    await walkFolder({ context, ...visits }, found, path)
  } else if (kind === 'file') {
    using file = disposable(reopen(found.descriptor, openFlags.read))
    await readFile(read, { ...file, facts: found.facts }, { name: nameOf(path), path })
  } else throw new AppError('forbidden')
  await read.batches.flush()
}

async function visit(read: TreeReadState, visited: VisitedEntry): Promise<void> {
  const { context } = read
  const { name, facts, target, path } = visited
  context.link.throwIfAborted()
  if (kindOf(facts) !== 'file' && (target === null || target === undefined || kindOf(target) !== 'file')) {
    return read.batches.push({ kind: 'entry', entry: { ...entryWith(name, facts, target), path } })
  }
  if (kindOf(facts) !== 'link') return visitFile(read, visited)
  const linked = await openLinkTargetOrSkip(context, path)
  if (linked === null) return
  using file = linked
  await readFile(read, file, { name, path })
}

type FileInFolder = Pick<VisitedEntry, 'folder' | 'name' | 'path'>

/** Sends an entry that the folder reports as a file. An entry that is no longer a file is skipped. */
async function visitFile(read: TreeReadState, { folder, name, path }: FileInFolder): Promise<void> {
  read.context.link.throwIfAborted()
  const descriptor = openOrSkip(read.context, { folder: folder.descriptor, name })
  if (descriptor === null) return
  using file = disposable(descriptor)
  const facts = read.context.calls.stat(descriptor)
  if (kindOf(facts) !== 'file' || isOwnFile(read.context, facts)) return
  await readFile(read, { ...file, facts }, { name, path })
}

/** Opens a file. Returns null when it no longer exists or may not be read. */
function openOrSkip(context: TaskContext, location: EntryLocation): number | null {
  try {
    return context.calls.openFile(location)
  } catch (error) {
    if (skippedErrnos.includes(errnoOf(error))) return null
    throw error
  }
}

type OpenTreeFile = DisposableDescriptor & { readonly facts: FileStat }

/**
 * Opens the target of a link, or returns null when the target is not a file or is skipped. The target is first opened
 * as an O_PATH handle, so that only regular files are ever opened for reading.
 */
async function openLinkTargetOrSkip(context: TaskContext, path: Path): Promise<OpenTreeFile | null> {
  try {
    using found = await resolvePath(context, path)
    if (kindOf(found.facts) !== 'file') return null
    return { ...disposable(reopen(found.descriptor, openFlags.read)), facts: found.facts }
  } catch (error) {
    if (skippedErrnos.includes(errnoOf(error))) return null
    if (error instanceof AppError && skippedCodes.includes(error.code)) return null
    throw error
  }
}

type NameAndPath = { readonly name: string; readonly path: Path }

/**
 * Sends the bytes of an open file, up to the size that the file had when it was opened. Throws when the file changes
 * during the read.
 */
async function readFile(
  read: TreeReadState,
  { descriptor, facts }: Omit<OpenTreeFile, typeof Symbol.dispose>,
  { name, path }: NameAndPath,
): Promise<void> {
  const { context, batches } = read
  const entry: Entry = entryOf(name, facts)
  const end = facts.sizeBytes
  await batches.push({ kind: 'entry', entry: { ...entry, path } })
  let crc = 0
  for (let offset = 0; offset < end;) {
    context.link.throwIfAborted()
    const buffer = await batches.reserve(Math.min(wholeFileBytes, end - offset))
    const bytes = fillBuffer(descriptor, buffer.subarray(0, end - offset), offset)
    offset += bytes.length
    crc = read.sums ? crc32(bytes, crc) : crc
    await batches.push(read.sums ? { kind: 'bytes', bytes, crc } : { kind: 'bytes', bytes })
  }
  refuseChanged(facts, context.calls.stat(descriptor))
}

/** Fills the buffer from the given offset. Throws when the file ends before the buffer is full. */
function fillBuffer(descriptor: number, buffer: Uint8Array, offset: number): Uint8Array {
  for (let filled = 0; filled < buffer.length;) {
    const length = readSync(descriptor, buffer, filled, buffer.length - filled, offset + filled)
    if (length === 0) throw new AppError('changed-meanwhile', { reason: 'a file has become shorter' })
    filled += length
  }
  return buffer
}

/**
 * Throws when a file was changed while it was read. Renaming or removing a file does not count as a change, because its
 * bytes stay the same.
 */
function refuseChanged(before: FileStat, after: FileStat): void {
  if (before.sizeBytes === after.sizeBytes && before.modifiedNs === after.modifiedNs) return
  throw new AppError('changed-meanwhile', { reason: 'a file was changed while it was being read' })
}
