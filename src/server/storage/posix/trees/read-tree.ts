import { readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { AppError } from '../../../../shared/domain/failure.ts'
import type { Entry } from '../../../../shared/domain/entry.ts'
import { nameOf, type Path } from '../../../../shared/domain/path.ts'
import type { EntryLocation } from '../calls/file-system-calls.ts'
import { entryOf, kindOf, type FileStat } from '../calls/file-stat.ts'
import type { LossKind } from '../../../../shared/domain/losses.ts'
import {
  disposable,
  errnoOf,
  isGone,
  isUnreachable,
  openFlags,
  reopen,
  type DisposableDescriptor,
} from '../calls/descriptors.ts'
import { resolvePath, isOwnFile } from '../resolution/resolve-path.ts'
import { type TaskContext } from '../resolution/task-context.ts'
import type { TreeItemsMessage } from './packed-tree-items.ts'
import { batchBytes, createTreeBatches, type TreeBatches } from './tree-batches.ts'
import { entryWith, walkFolder, type VisitedEntry } from './walk-tree.ts'

/**
 * A file of up to this size in bytes (128 KiB) is sent in one item. For a larger file, a new buffer is used when the
 * current buffer has less free space than this, because many small reads would be slow.
 */
const wholeFileBytes = 128 * 1024

/** Error codes for which the target of a link is skipped without a word: it no longer exists or is denied. */
const skippedCodes: readonly string[] = ['not-found', 'not-a-folder', 'forbidden', 'link-loop']

/** A message about an entry that cannot be read. */
export type LeftOutMessage = { readonly leftOut: LossKind; readonly path: Path }

/** A message of the task: items, or an entry that is left out. */
type TreeReadMessage = TreeItemsMessage | LeftOutMessage

type TreeReadState = {
  readonly context: TaskContext<TreeReadMessage>
  readonly batches: TreeBatches
  readonly sums: boolean
}

export type ReadTreeInput = {
  readonly path: Path
  /** True when the CRC-32 of each file is computed while the file is read. */
  readonly sums: boolean
}

/**
 * Sends all entries below a folder and the contents of its files to the main thread. When the path is a file, only this
 * file is sent. Reads block, so the thread runs no other task during a read.
 */
export async function readTree(
  context: TaskContext<TreeReadMessage>,
  { path, sums }: ReadTreeInput,
): Promise<void> {
  using found = await resolvePath(context, path)
  const read: TreeReadState = { context, batches: createTreeBatches(context.link), sums }
  const kind = kindOf(found.stat)
  if (kind === 'folder') {
    const visits = {
      visit: (visited: VisitedEntry) => visit(read, visited),
      visitFile: (file: FileInFolder) => visitFile(read, file),
      onUnreachable: (unreachable: Path) => leaveOut(context, 'unreadable', unreachable),
    }
    await walkFolder({ context, ...visits }, found, path)
  } else if (kind === 'file') {
    using file = disposable(reopen(found.descriptor, openFlags.read))
    await readFile(read, { ...file, stat: found.stat }, { name: nameOf(path), path })
  } else throw new AppError('forbidden')
  await read.batches.flush()
}

async function visit(read: TreeReadState, visited: VisitedEntry): Promise<void> {
  const { context } = read
  const { name, stat, target, path } = visited
  context.link.throwIfAborted()
  if (kindOf(stat) !== 'file' && (target === null || target === undefined || kindOf(target) !== 'file')) {
    return read.batches.push({ kind: 'entry', entry: { ...entryWith(name, stat, target), path } })
  }
  if (kindOf(stat) !== 'link') return visitFile(read, visited)
  const linked = await orLeaveOut(context, path, () => openLinkTarget(context, path))
  if (linked === null) return
  using file = linked
  await readFile(read, file, { name, path })
}

type FileInFolder = Pick<VisitedEntry, 'folder' | 'name' | 'path'>

const leaveOut = async (
  { link }: TaskContext<TreeReadMessage>,
  leftOut: LossKind,
  path: Path,
): Promise<void> => link.emit({ leftOut, path })

/**
 * Runs `open`. Returns null when the file no longer exists. The main thread is told about a file that may not be read, and
 * about a pipe or socket that has replaced it.
 */
async function orLeaveOut<T>(
  context: TaskContext,
  path: Path,
  open: () => T | Promise<T>,
): Promise<T | null> {
  try {
    return await open()
  } catch (error) {
    if (isUnreachable(error)) await leaveOut(context, 'unreadable', path)
    else if (errnoOf(error) === 'ENXIO') await leaveOut(context, 'special', path)
    else if (!isGone(error) && !(error instanceof AppError && skippedCodes.includes(error.code))) throw error
    return null
  }
}

/** Sends an entry that the folder reports as a file. An entry that is no longer a file is skipped. */
async function visitFile(read: TreeReadState, { folder, name, path }: FileInFolder): Promise<void> {
  read.context.link.throwIfAborted()
  const location: EntryLocation = { folder: folder.descriptor, name }
  const descriptor = await orLeaveOut(read.context, path, () => read.context.calls.openFile(location))
  if (descriptor === null) return
  using file = disposable(descriptor)
  const stat = read.context.calls.stat(descriptor)
  if (kindOf(stat) !== 'file' || isOwnFile(read.context, stat)) return
  await readFile(read, { ...file, stat }, { name, path })
}

type OpenTreeFile = DisposableDescriptor & { readonly stat: FileStat }

/**
 * Opens the target of a link, or returns null when the target is not a file. The target is first opened as an O_PATH
 * handle, so that only regular files are ever opened for reading.
 */
async function openLinkTarget(context: TaskContext, path: Path): Promise<OpenTreeFile | null> {
  using found = await resolvePath(context, path)
  if (kindOf(found.stat) !== 'file') return null
  return { ...disposable(reopen(found.descriptor, openFlags.read)), stat: found.stat }
}

/**
 * Sends the bytes of an open file, up to the size that the file had when it was opened. A file may grow meanwhile, as a log
 * does. Throws when the file changes during the read in another way.
 */
async function readFile(
  read: TreeReadState,
  { descriptor, stat }: Omit<OpenTreeFile, typeof Symbol.dispose>,
  { name, path }: { readonly name: string; readonly path: Path },
): Promise<void> {
  const { context, batches } = read
  const entry: Entry = entryOf(name, stat)
  const end = stat.sizeBytes
  await batches.push({ kind: 'entry', entry: { ...entry, path } })
  let crc = 0
  for (let offset = 0; offset < end;) {
    context.link.throwIfAborted()
    const buffer = await batches.reserve(Math.min(wholeFileBytes, end - offset))
    const bytes = fillBuffer(descriptor, buffer.subarray(0, end - offset), offset)
    offset += bytes.length
    // The sum of a file that needs several reads shows whether a file that has grown was also rewritten.
    if (read.sums || end > wholeFileBytes) crc = crc32(bytes, crc)
    await batches.push(read.sums ? { kind: 'bytes', bytes, crc } : { kind: 'bytes', bytes })
  }
  const after = context.calls.stat(descriptor)
  if (after.sizeBytes > end) refuseRewritten(context, { descriptor, end, crc })
  else refuseChanged(stat, after)
}

/**
 * Throws when the first `end` bytes of a file that has grown are not the bytes that were sent. They are read again. The
 * bytes of a small file are the file's content at one moment, because they were read by one call.
 */
function refuseRewritten(
  { link }: TaskContext,
  { descriptor, end, crc }: { readonly descriptor: number; readonly end: number; readonly crc: number },
): void {
  if (end <= wholeFileBytes) return
  const buffer = new Uint8Array(batchBytes)
  let crcNow = 0
  for (let offset = 0; offset < end; offset += buffer.length) {
    link.throwIfAborted()
    crcNow = crc32(fillBuffer(descriptor, buffer.subarray(0, end - offset), offset), crcNow)
  }
  if (crcNow !== crc) throw changed()
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
  throw changed()
}

const changed = (): AppError =>
  new AppError('changed-meanwhile', { reason: 'a file was changed while it was being read' })
