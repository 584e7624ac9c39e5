import { diskNameOf } from '../../disk-path.ts'
import { closeSync, fsyncSync, ftruncateSync } from 'node:fs'
import { AppError } from '../../../../shared/domain/failure.ts'
import type { EntryLocation } from '../calls/file-system-calls.ts'
import { kindOf, modifiedMsOf, type FileStat } from '../calls/file-stat.ts'
import {
  copyOwner,
  errnoOf,
  openAt,
  openFlags,
  realPathOf,
  reopen,
  requireWritable,
  setMode,
  setModifiedTime,
  unlinkAt,
} from '../calls/descriptors.ts'
import { nodeCalls } from '../calls/node-calls.ts'
import type { TaskContext } from '../resolution/task-context.ts'
import { recordStaged, renameIfFree, replaceExactly, replaceWithStaged } from './staged-files.ts'

/** Maximum number of bytes (64 MiB) that are copied between two checks for an abort. */
const stepBytes = 64 * 1024 * 1024

/**
 * Number of bytes (512 MiB) after which a copy is flushed. A single flush at the end of a large copy would take so long
 * that the disk would seem to hang.
 */
const maxUnflushedBytes = 8 * stepBytes

/** Codes of the errors that a file system returns when it cannot copy inside the kernel. */
const unsupportedCopyErrors = ['EXDEV', 'EINVAL', 'ENOSYS', 'EOPNOTSUPP', 'EBADF', 'EPERM']

/**
 * The two ways to copy a file. With `copy`, the new file is flushed before it is put in place, unless the context
 * flushes several files together. With `exact`, the new file is always flushed, and it keeps the owner and all mode
 * bits of the source, because the source is removed afterwards.
 */
export type FileCopyKind = 'copy' | 'exact'

/** Input of `copyBytes`: a file and the free name to copy it to. */
export type FileCopyRequest = {
  /** O_PATH handle of the source file. */
  readonly source: number
  readonly stat: FileStat
  /** Location of the copy. No entry may exist there. */
  readonly location: EntryLocation
  readonly copyKind: FileCopyKind
}

/**
 * A task context for copying. `budget` is the number of bytes by which the files may still grow; without a budget, there is no
 * limit. `unflushed` counts the copied bytes that have not been flushed, when several files are flushed together.
 */
export type FileCopyContext = TaskContext & {
  readonly budget?: CopyBudget
  readonly unflushed?: UnflushedByteCounter
}

type CopyBudget = { leftBytes: number }

type UnflushedByteCounter = { bytes: number; readonly flush: (file: number) => void }

/**
 * Creates a file with the bytes, permission bits and modification time of another file. When copying fails, the caller
 * must remove the incomplete file.
 */
export function copyBytes(
  context: FileCopyContext,
  { source, stat, location, copyKind }: FileCopyRequest,
): void {
  const isFlushedWithOthers = copyKind === 'copy' && context.unflushed !== undefined
  const from = reopen(source, openFlags.read)
  try {
    const to = openAt(location, openFlags.createNew, 0o600)
    try {
      const copyContext = isFlushedWithOthers
        ? context
        : { ...context, unflushed: { bytes: 0, flush: fsyncSync } }
      copyAllBytes(copyContext, { from, to })
      copyMetadata(context, { from: source, to, stat, copyKind })
      if (!isFlushedWithOthers) fsyncSync(to)
    } finally {
      closeSync(to)
    }
  } finally {
    closeSync(from)
  }
}

/** A copied entry: the descriptors of its source and of the copy, the metadata of the source, and the way of copying. */
export type CopiedEntry = CopyDescriptors & { readonly stat: FileStat; readonly copyKind: FileCopyKind }

/**
 * Sets the permission bits, the extended attributes and the modification time of a copy. An exact copy also gets the
 * setuid, setgid and sticky bits and the owner. The attributes come last, because the permission bits would change an
 * access control list.
 */
export function copyMetadata(
  { calls, losses }: TaskContext,
  { from, to, stat, copyKind }: CopiedEntry,
): void {
  const isExact = copyKind === 'exact'
  if (isExact && !copyOwner(to, stat)) losses.add('owner', nameOfDescriptor(from))
  setMode(to, stat.mode & (isExact ? 0o7777 : 0o777))
  if (!calls.copyAttributes(from, to)) losses.add('attributes', nameOfDescriptor(from))
  setModifiedTime(to, modifiedMsOf(stat))
}

const nameOfDescriptor = (descriptor: number): string => diskNameOf(realPathOf(descriptor))

type CopyDescriptors = { readonly from: number; readonly to: number }

/**
 * Copies the content of a file. A hole of the source stays a hole, where the system tells which ranges contain data, so
 * that the copy of a sparse file needs no more space on the disk. Holes count towards the budget like bytes.
 */
function copyAllBytes(context: FileCopyContext, descriptors: CopyDescriptors): void {
  const { calls, budget } = context
  const { dataAfter, seek } = calls
  const { from, to } = descriptors
  if (dataAfter === null || seek === null) return copyRange(context, descriptors, Number.POSITIVE_INFINITY)
  let copied = 0
  for (let range = dataAfter(from, 0); range !== null; range = dataAfter(from, copied)) {
    if (budget !== undefined) spendBudget(budget, range.start - copied)
    for (const file of [from, to]) seek(file, range.start)
    copyRange(context, descriptors, range.end - range.start)
    copied = range.end
  }
  const { sizeBytes } = calls.stat(from)
  if (sizeBytes <= copied) return
  if (budget !== undefined) spendBudget(budget, sizeBytes - copied)
  ftruncateSync(to, sizeBytes)
}

/** Copies up to `maxBytes` bytes between the current offsets of two files. */
function copyRange(
  { calls, link, budget, unflushed }: FileCopyContext,
  { from, to }: CopyDescriptors,
  maxBytes: number,
): void {
  let activeCalls = calls
  let leftBytes = maxBytes
  for (let step = 0; leftBytes > 0; step += 1) {
    link.throwIfAborted()
    try {
      const budgetBytes = budget === undefined ? stepBytes : budget.leftBytes + 1
      const copiedBytes = activeCalls.copyChunk(from, to, Math.min(stepBytes, budgetBytes, leftBytes))
      if (copiedBytes === 0) return
      leftBytes -= copiedBytes
      if (budget !== undefined) spendBudget(budget, copiedBytes)
      if (unflushed !== undefined) countUnflushed(unflushed, copiedBytes, to)
    } catch (error) {
      if (step > 0 || calls.kind === 'walk' || !unsupportedCopyErrors.includes(errnoOf(error))) throw error
      activeCalls = nodeCalls()
    }
  }
}

function countUnflushed(unflushed: UnflushedByteCounter, bytes: number, file: number): void {
  unflushed.bytes += bytes
  if (unflushed.bytes < maxUnflushedBytes) return
  unflushed.flush(file)
  unflushed.bytes = 0
}

/** Subtracts copied bytes from the budget. Throws `over-quota` when the budget is exceeded. */
function spendBudget(budget: CopyBudget, bytes: number): void {
  budget.leftBytes -= bytes
  if (budget.leftBytes < 0)
    throw new AppError('over-quota', { reason: 'the copy has more bytes than are allowed' })
}

/**
 * Input of `copyFileStaged`: a file and the name to copy it to. `existing` is the entry with that name, which is
 * replaced, or null when the name is free.
 */
export type StagedCopyRequest = {
  readonly source: number
  readonly stat: FileStat
  readonly location: EntryLocation
  readonly existing: FileStat | null
  readonly copyKind: FileCopyKind
}

/**
 * Copies a file to a staged file next to the destination and then puts the staged file in place. A failed copy leaves
 * nothing behind. Returns the file that the copy replaced.
 */
export async function copyFileStaged(
  context: FileCopyContext,
  { source, stat, location, existing, copyKind }: StagedCopyRequest,
): Promise<FileStat | null> {
  if (existing !== null) requireWritable(location)
  const staged: EntryLocation = { folder: location.folder, name: context.newStagedName() }
  await recordStaged(context, staged)
  try {
    if (context.budget !== undefined) context.budget.leftBytes += existing?.sizeBytes ?? 0
    copyBytes(context, { source, stat, location: staged, copyKind })
    if (existing === null) {
      renameIfFree(context.calls, staged, location)
      return null
    }
    return context.budget === undefined
      ? await replaceWithStaged(context, staged, location)
      : await placeWithinBudget(context, context.budget, { staged, location, existing })
  } catch (error) {
    unlinkStaged(staged)
    throw error
  }
}

type PlacementWithinBudget = {
  readonly staged: EntryLocation
  readonly location: EntryLocation
  readonly existing: FileStat
}

/**
 * Puts a copied file in place. The budget was increased by the size of the existing file when the copy began. It is now
 * corrected by the size of the file that stands there at this moment.
 */
async function placeWithinBudget(
  context: FileCopyContext,
  budget: CopyBudget,
  { staged, location, existing }: PlacementWithinBudget,
): Promise<FileStat | null> {
  const current = context.calls.statIfExists(location)
  spendBudget(budget, existing.sizeBytes - (current?.sizeBytes ?? 0))
  if (current === null) {
    renameIfFree(context.calls, staged, location)
    return null
  }
  if (kindOf(current) !== 'file') throw new AppError('changed-meanwhile')
  return replaceExactly(context, staged, { location, existing: current })
}

function unlinkStaged(staged: EntryLocation): void {
  try {
    unlinkAt(staged)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}
