import { AppError, codeOf } from '../../../../shared/domain/failure.ts'
import { isWithin, nameOf, root, type Path } from '../../../../shared/domain/path.ts'
import type { Entry } from '../../../../shared/domain/entry.ts'
import type { ChangedEntry } from '../../change.ts'
import { entryOf, isSame, kindOf, type FileStat } from '../calls/file-stat.ts'
import { errnoOf, flushFolder, renameAt, requireWritable, unlinkAt } from '../calls/descriptors.ts'
import { asFailure } from '../calls/system-failures.ts'
import { renameIfFree } from '../staging/staged-files.ts'
import {
  statLinkTarget,
  isOwnFile,
  refuseStartFolder,
  type ResolvedEntry,
} from '../resolution/resolve-path.ts'
import type { TaskContext } from '../resolution/task-context.ts'
import { withLosses, withMadeFolders, withReplaced } from '../staging/with-losses.ts'
import { entryAfter, statEntry } from './stat-and-open.ts'
import { moveAcross } from './move-across.ts'
import { resolveActable, openParentSlot, type ParentSlot } from '../resolution/parent-slot.ts'
import { childrenOf, checkTreePermissions } from '../trees/tree.ts'

export type TransferInput = {
  readonly from: Path
  readonly to: Path
  readonly overwrite: 'create' | 'upsert'
  /** Mode of the missing parent folders that are created for the destination. */
  readonly dirMode: number
  /** True for a dry run: all checks of the move are made, and nothing is moved. */
  readonly isDryRun?: boolean
  /** Maximum number of bytes that a copy may write. Moves ignore this limit. */
  readonly maxBytes?: number | undefined
}

/**
 * Moves an entry. For a link, the link is moved and not its target. Moving an entry to its own path does nothing. A
 * destination that is denied, within the source or taken is refused before a missing source (contract 3.8).
 */
export async function moveEntry(context: TaskContext, transfer: TransferInput): Promise<ChangedEntry> {
  const { from, to, dirMode, isDryRun } = transfer
  using source = await resolveActable(context, from).catch(async (error: unknown) => {
    if (isNothingThere(error)) await refuseDestination(context, transfer, null)
    throw error
  })
  await refuseDestination(context, transfer, source.stat)
  if (from === to) return statEntry(context, { path: to })
  refuseStartFolder(context, source.stat)
  using old = await openParentSlot(context, from)
  if (kindOf(source.stat) === 'folder') {
    await checkTreePermissions(context, {
      folder: source.descriptor,
      paths: [from, old.path, to],
      isLeaving: true,
    })
  }
  using destination = await openParentSlot(context, to, { dirMode, isDryRun })
  if (
    kindOf(source.stat) === 'folder' &&
    isWithin(destination.path, old.path) &&
    destination.path !== old.path
  ) {
    throw new AppError('into-itself')
  }
  if (kindOf(source.stat) === 'folder' && destination.path !== to) {
    await checkTreePermissions(context, { folder: source.descriptor, paths: [destination.path] })
  }
  context.link.throwIfAborted()
  const { replaced, isCopied } = await moveTo(context, { source: source.stat, old, destination, transfer })
  if (isDryRun === true) return statEntry(context, { path: from })
  flushFolder(destination.folder.descriptor)
  flushFolder(old.folder.descriptor)
  const moved = withLosses(context, await movedEntry(context, source, { to, isCopied }))
  return withMadeFolders(withReplaced(moved, replaced), destination.madeFolders)
}

/** Throws the errors of the destination that do not depend on what is moved. `source` is null when nothing is there. */
async function refuseDestination(
  context: TaskContext,
  { from, to, overwrite }: TransferInput,
  source: FileStat | null,
): Promise<void> {
  using existing = await resolveActable(context, to).catch((error: unknown) => {
    if (isNothingThere(error)) return null
    throw error
  })
  if (from === root || to === root) throw new AppError('forbidden')
  if (to !== from && isWithin(to, from)) throw new AppError('into-itself', { reason: 'source is parent' })
  if (overwrite === 'upsert' || existing === null) return
  // Both names lead to the source when only the case of its name changes on a disk that folds case.
  if (source === null || !isSame(existing.stat, source)) throw new AppError('name-taken')
}

/** Returns true when an error means that no entry exists at a path, because a name is missing or belongs to a file. */
const isNothingThere = (error: unknown): boolean =>
  ['not-found', 'not-a-folder'].includes(codeOf(asFailure(error)))

/** A move whose source and destination have been resolved. */
type ResolvedMove = {
  readonly source: FileStat
  readonly old: ParentSlot
  readonly destination: ParentSlot
  readonly transfer: TransferInput
}

/**
 * Returns the entry after a move. It is read from the descriptor, since somebody else may have moved it on meanwhile. Only
 * what was copied to another device, and the target of a link, are looked up by their path.
 */
async function movedEntry(
  context: TaskContext,
  { descriptor, stat }: ResolvedEntry,
  { to, isCopied }: { readonly to: Path; readonly isCopied: boolean },
): Promise<Entry> {
  if (isCopied || kindOf(stat) === 'link') return entryAfter(context, to, stat)
  return entryOf(nameOf(to), context.calls.stat(descriptor))
}

type MoveOutcome = {
  /** The entry that the move replaced. */
  readonly replaced: FileStat | null
  /** True for a move to another device. */
  readonly isCopied: boolean
}

async function moveTo(context: TaskContext, moving: ResolvedMove): Promise<MoveOutcome> {
  const { source, old, destination, transfer } = moving
  const existing = context.calls.statIfExists(destination.location)
  if (existing !== null && isSame(existing, source)) {
    moveOntoItself(context, moving)
    return { replaced: null, isCopied: false }
  }
  if (existing !== null) await refuseExisting(context, existing, moving)
  if (transfer.isDryRun === true) return { replaced: null, isCopied: false }
  try {
    if (existing === null) renameIfFree(context.calls, old.location, destination.location)
    else renameAt(old.location, destination.location)
  } catch (error) {
    if (errnoOf(error) === 'EINVAL') throw new AppError('into-itself', { cause: error })
    if (errnoOf(error) !== 'EXDEV') throw error
    const replaced = await moveAcross(context, {
      source,
      old: old.location,
      destination: destination.location,
      mayReplace: transfer.overwrite === 'upsert',
    })
    return { replaced, isCopied: true }
  }
  return { replaced: existing, isCopied: false }
}

async function refuseExisting(
  context: TaskContext,
  existing: FileStat,
  { source, destination, transfer }: ResolvedMove,
): Promise<void> {
  if (isOwnFile(context, existing)) throw new AppError('forbidden')
  const target = kindOf(existing) === 'link' ? await statLinkTarget(context, transfer.to) : existing
  if (transfer.overwrite === 'create' || kindOf(source) === 'folder') throw new AppError('name-taken')
  const kind = target === null ? 'link' : kindOf(target)
  if (kind === 'folder') throw new AppError('is-a-folder')
  if (kind === 'other') throw new AppError('forbidden')
  if (kind === 'file' && kindOf(existing) === 'file') requireWritable(destination.location)
}

/**
 * Handles a move in which both names lead to the same file. There are two cases. Either the name changes only in case
 * on a file system that folds case, or both names are hard links to one file. A plain rename would keep both hard
 * links.
 */
function moveOntoItself(context: TaskContext, { source, old, destination, transfer }: ResolvedMove): void {
  const isOneFolder = isSame(old.folder.stat, destination.folder.stat)
  if (isOneFolder && old.location.name === destination.location.name) {
    if (transfer.overwrite === 'create') throw new AppError('name-taken')
    return
  }
  const isOneEntry =
    source.links === 1 ||
    kindOf(source) === 'folder' ||
    (isOneFolder &&
      !childrenOf(context, destination.folder.descriptor).some(({ name }) => name === nameOf(transfer.to)))
  if (!isOneEntry && transfer.overwrite === 'create') throw new AppError('name-taken')
  if (transfer.isDryRun === true) return
  if (isOneEntry) renameAt(old.location, destination.location)
  else unlinkAt(old.location)
}
