import { root } from '../../../../shared/domain/path.ts'
import type { EntryLocation } from '../calls/file-system-calls.ts'
import { etagOf, kindOf, type FileStat } from '../calls/file-stat.ts'
import {
  flushFolder,
  disposable,
  openAt,
  openFlags,
  requireChangeable,
  requireWritable,
  readLinkAt,
  symlinkAt,
  unlinkAt,
} from '../calls/descriptors.ts'
import { AppError } from '../../../../shared/domain/failure.ts'
import type { TaskContext } from '../resolution/task-context.ts'
import { copyFileStaged } from '../staging/copy-file.ts'
import { copyWholeTree } from '../trees/copy-tree.ts'
import { removeCopiedTree } from '../trees/remove-copied.ts'
import { removeWhole } from './remove.ts'
import { recordStaged, replaceWithStaged } from '../staging/staged-files.ts'

type CrossDeviceMove = {
  readonly source: FileStat
  readonly old: EntryLocation
  readonly destination: EntryLocation
  /** True when an existing entry at the destination may be replaced. */
  readonly mayReplace: boolean
}

/**
 * Moves an entry to another device: makes an exact copy, flushes the copy, puts it in place, and then removes the
 * source. Returns the file or link that it replaced.
 */
export async function moveAcross(context: TaskContext, move: CrossDeviceMove): Promise<FileStat | null> {
  const { source, old, destination } = move
  const kind = kindOf(source)
  const sinceMs = Date.now()
  // Otherwise a source on a read-only mount would be copied, and could then not be removed.
  requireChangeable(old.folder)
  if (kind === 'folder') requireWritable(old)
  if (kind === 'other') throw new AppError('unsupported')
  const copies = { folder: copyFolder, file: copyFile, link: copyLink }
  const replaced = await copies[kind](context, move)
  flushFolder(destination.folder)
  if (kind === 'folder') {
    await removeWhole(context, old, (_context, location) =>
      removeCopiedTree(context, { old: location, copy: destination, sinceMs }),
    )
    return null
  }
  // A client may have saved the source during the copy and received a confirmation. The copy does not contain these
  // bytes, so the source must not be removed.
  const now = context.calls.statIfExists(old)
  if (now !== null && etagOf(now) !== etagOf(source)) throw new AppError('changed-meanwhile')
  unlinkAt(old)
  return replaced
}

async function copyFolder(
  context: TaskContext,
  { source, old, destination }: CrossDeviceMove,
): Promise<null> {
  using handle = disposable(openAt(old, openFlags.handle))
  const found = { descriptor: handle.descriptor, stat: source, path: root }
  await copyWholeTree(context, { source: found, location: destination, copyKind: 'exact' })
  return null
}

async function copyFile(
  context: TaskContext,
  { source, old, destination, mayReplace }: CrossDeviceMove,
): Promise<FileStat | null> {
  using handle = disposable(openAt(old, openFlags.handle))
  const existing = mayReplace ? context.calls.statIfExists(destination) : null
  return await copyFileStaged(context, {
    source: handle.descriptor,
    stat: source,
    location: destination,
    existing,
    copyKind: 'exact',
  })
}

async function copyLink(
  context: TaskContext,
  { old, destination, mayReplace }: CrossDeviceMove,
): Promise<FileStat | null> {
  const existing = mayReplace ? context.calls.statIfExists(destination) : null
  if (existing === null) {
    symlinkAt(readLinkAt(old), destination)
    return null
  }
  const staged: EntryLocation = { folder: destination.folder, name: context.newStagedName() }
  await recordStaged(context, staged)
  symlinkAt(readLinkAt(old), staged)
  return replaceWithStaged(context, staged, destination)
}
