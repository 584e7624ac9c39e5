import { AppError } from '../../../../shared/domain/failure.ts'
import { isWithin, root } from '../../../../shared/domain/path.ts'
import type { ChangedEntry } from '../../change.ts'
import { isSame, kindOf, type FileStat } from '../calls/file-stat.ts'
import { flushFolder, disposable } from '../calls/descriptors.ts'
import { resolvePath, statLinkTarget, isOwnFile, type ResolvedEntry } from '../resolution/resolve-path.ts'
import type { TaskContext } from '../resolution/task-context.ts'
import { copyFileStaged, type FileCopyContext } from '../staging/copy-file.ts'
import { copyTree, copyWholeTree, flushCopied } from '../trees/copy-tree.ts'
import { withLosses, withMadeFolders, withReplaced } from '../staging/with-losses.ts'
import { entryAfter } from './stat-and-open.ts'
import type { TransferInput } from './move.ts'
import { openParentSlot, openContentSlot, type ParentSlot } from '../resolution/parent-slot.ts'
import { checkTreePermissions, openChild } from '../trees/tree.ts'

/** Copies the entry that a path leads to. When the source is a link, its target is copied. */
export async function copyEntry(baseContext: TaskContext, transfer: TransferInput): Promise<ChangedEntry> {
  const { from, to, maxBytes } = transfer
  const context: FileCopyContext =
    maxBytes === undefined ? baseContext : { ...baseContext, budget: { leftBytes: maxBytes } }
  using source = await resolvePath(context, from)
  const kind = kindOf(source.stat)
  if (kind === 'other') throw new AppError('forbidden')
  if (to === from) throw new AppError('name-taken')
  if (kind === 'folder' && isWithin(to, from)) throw new AppError('into-itself')
  if (to === root) throw new AppError('forbidden')
  const { madeFolders, replaced } = await (kind === 'folder' ? copyFolder : copyFile)(
    context,
    source,
    transfer,
  )
  const entry = await entryAfter(context, transfer.isDryRun === true ? from : to, source.stat)
  return withMadeFolders(withReplaced(withLosses(context, entry), replaced), madeFolders)
}

type CopyOutcome = Pick<ParentSlot, 'madeFolders'> & {
  /** The file that the copy has replaced. Null for a dry run. */
  readonly replaced: FileStat | null
}

/** Copies a file. */
async function copyFile(
  context: TaskContext,
  source: ResolvedEntry,
  transfer: TransferInput,
): Promise<CopyOutcome> {
  const { to, overwrite, dirMode, isDryRun } = transfer
  using slot = await (overwrite === 'create' ? openParentSlot : openContentSlot)(context, to, {
    dirMode,
    isDryRun,
  })
  const existing = context.calls.statIfExists(slot.location)
  if (existing !== null) await refuseExisting(context, existing, { source, transfer: { to, overwrite } })
  if (isDryRun === true) return { madeFolders: [], replaced: null }
  const replaced = await copyFileStaged(context, {
    source: source.descriptor,
    stat: source.stat,
    location: slot.location,
    existing,
    copyKind: 'copy',
  })
  flushFolder(slot.folder.descriptor)
  return { madeFolders: slot.madeFolders, replaced }
}

type ReplaceAttempt = {
  readonly source: ResolvedEntry
  readonly transfer: Pick<TransferInput, 'to' | 'overwrite'>
}

async function refuseExisting(
  context: TaskContext,
  existing: FileStat,
  { source, transfer }: ReplaceAttempt,
): Promise<void> {
  if (isOwnFile(context, existing)) throw new AppError('forbidden')
  if (kindOf(existing) === 'link') await statLinkTarget(context, transfer.to)
  if (transfer.overwrite === 'create' || isSame(existing, source.stat)) throw new AppError('name-taken')
  if (kindOf(existing) === 'folder') throw new AppError('is-a-folder')
  if (kindOf(existing) !== 'file') throw new AppError('forbidden')
}

/** Copies a folder, which replaces no entry as a whole. */
async function copyFolder(
  context: TaskContext,
  source: ResolvedEntry,
  transfer: TransferInput,
): Promise<CopyOutcome> {
  const { from, to, overwrite, dirMode, isDryRun } = transfer
  await checkTreePermissions(context, { folder: source.descriptor, paths: [from, source.path, to] })
  using slot = await openParentSlot(context, to, { dirMode, isDryRun })
  if (isWithin(slot.path, source.path) && slot.path !== source.path) throw new AppError('into-itself')
  if (slot.path !== to) await checkTreePermissions(context, { folder: source.descriptor, paths: [slot.path] })
  const existing = context.calls.statIfExists(slot.location)
  if (existing !== null) {
    if (kindOf(existing) === 'link') await statLinkTarget(context, to)
    const isMerge = overwrite === 'upsert' && kindOf(existing) === 'folder' && !isSame(existing, source.stat)
    if (!isMerge) throw new AppError('name-taken')
  }
  if (isDryRun === true) return { madeFolders: [], replaced: null }
  if (existing === null) {
    await copyWholeTree(context, { source, location: slot.location, copyKind: 'copy' })
  } else {
    using folder = disposable(openChild(slot.location.folder, slot.location.name))
    await copyTree(context, {
      from: source.descriptor,
      path: source.path,
      into: folder.descriptor,
      to: slot.path,
      destinations: [existing],
      copyKind: 'copy',
    })
    flushCopied(context, folder.descriptor)
  }
  flushFolder(slot.folder.descriptor)
  return { madeFolders: slot.madeFolders, replaced: null }
}
