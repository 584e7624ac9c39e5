import { AppError, codeOf } from '../../../../shared/domain/failure.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import type { EntryLocation } from '../calls/file-system-calls.ts'
import { isSame, kindOf, type FileStat, type InodeId } from '../calls/file-stat.ts'
import {
  flushFolder,
  disposable,
  makeFolderAt,
  openAt,
  openFlags,
  readLinkAt,
  realPathOf,
  reopen,
  symlinkAt,
} from '../calls/descriptors.ts'
import { asFailure } from '../calls/system-failures.ts'
import { renameIfFree, recordStaged } from '../staging/staged-files.ts'
import { isStagedName } from '../resolution/reserved-names.ts'
import {
  resolvePath,
  isOwnFile,
  pathBelow,
  refuseOwnName,
  type ResolvedEntry,
} from '../resolution/resolve-path.ts'
import type { TaskContext } from '../resolution/task-context.ts'
import {
  copyBytes,
  copyMetadata,
  copyFileStaged,
  type CopiedEntry,
  type FileCopyKind,
  type FileCopyContext,
} from '../staging/copy-file.ts'
import { openContentSlot } from '../resolution/parent-slot.ts'
import { childrenOf, openChild, removeTree } from './tree.ts'

type TreeCopyRequest = {
  /** O_PATH handles of the source and destination folders. */
  readonly from: number
  readonly into: number
  /** Path of the source inside the root. */
  readonly path: Path
  /**
   * Path of the destination folder inside the root, if the folder existed before the copy and the copied entries are
   * merged into it. Null for a folder that this copy created.
   */
  readonly to: Path | null
  /**
   * Folders that receive copied entries. None of them may be copied: the copy would never end or, as part of a move,
   * the source would be removed together with the copy inside it.
   */
  readonly destinations: readonly InodeId[]
  /**
   * `copy`: linked files are copied as files, and other links and special files are skipped. `exact`, for a move to
   * another device: links are copied as links, special files are refused, and everything is flushed.
   */
  readonly copyKind: FileCopyKind
}

type WholeTreeCopyRequest = {
  readonly source: Pick<ResolvedEntry, 'descriptor' | 'stat' | 'path'>
  readonly location: EntryLocation
  readonly copyKind: FileCopyKind
}

/**
 * Copies a folder to a name that is not in use. The copy is written under a hidden name, flushed, and then renamed in
 * one step. When copying fails, the incomplete copy is removed.
 */
export async function copyWholeTree(
  baseContext: TaskContext,
  { source, location, copyKind }: WholeTreeCopyRequest,
): Promise<void> {
  const context = withFileSystemFlush(baseContext)
  const destinations = [context.calls.stat(location.folder)]
  refuseIntoItself(source.stat, destinations)
  const staged: EntryLocation = { folder: location.folder, name: context.newStagedName() }
  await recordStaged(context, staged)
  makeFolderAt(staged, 0o700)
  try {
    using folder = disposable(openChild(staged.folder, staged.name))
    const { descriptor: from, path } = source
    await copyTree(context, { from, into: folder.descriptor, path, to: null, destinations, copyKind })
    copyFolderMetadata(context, { from, to: folder.descriptor, stat: source.stat, copyKind })
    flushCopied(context, folder.descriptor)
    renameIfFree(context.calls, staged, location)
  } catch (error) {
    removeTree(context, staged, { isOurs: true })
    throw error
  }
}

/**
 * Throws when a folder would be copied into itself. When a disk is mounted in several places, a folder can appear below
 * itself, and neither the path nor the kernel reveals this.
 */
function refuseIntoItself(stat: FileStat, destinations: readonly InodeId[]): void {
  if (destinations.some((folder) => isSame(folder, stat))) throw new AppError('into-itself')
}

/**
 * Returns a context in which copied files are not flushed one by one. Flushing the whole file system once is cheaper.
 */
function withFileSystemFlush(context: TaskContext): FileCopyContext {
  const { flushFileSystem } = context.calls
  return flushFileSystem === null ? context : { ...context, unflushed: { bytes: 0, flush: flushFileSystem } }
}

/**
 * Flushes the file system to which entries were copied. If the file system cannot be flushed as a whole, the function
 * does nothing, because each entry was flushed when it was copied.
 */
export function flushCopied({ calls }: TaskContext, folder: number): void {
  if (calls.flushFileSystem === null) return
  using readable = disposable(reopen(folder, openFlags.folder))
  calls.flushFileSystem(readable.descriptor)
}

/** Copies the entries of a folder into another folder. The caller flushes the result. */
export async function copyTree(context: TaskContext, tree: TreeCopyRequest): Promise<void> {
  // Only a folder that existed before the copy can contain names that are reserved for the server's own files.
  const existing = tree.to === null ? null : context.calls.stat(tree.into)
  for (const { name } of childrenOf(context, tree.from)) {
    context.link.throwIfAborted()
    if (isStagedName(name)) continue
    if (existing !== null) refuseOwnName(context, existing, name)
    await copyChild(context, tree, name)
  }
  refuseRemoved(context, tree.from)
}

/**
 * Throws `not-found` when the source folder was removed during the copy. The names that were read from the folder may
 * then be incomplete, because the folder was being emptied.
 */
function refuseRemoved({ calls }: TaskContext, folder: number): void {
  const isGone = calls.stat(folder).links === 0
  if (isGone || realPathOf(folder).split('/').some(isStagedName)) throw new AppError('not-found')
}

async function copyChild(context: TaskContext, tree: TreeCopyRequest, name: string): Promise<void> {
  using child = disposable(openAt({ folder: tree.from, name }, openFlags.handle))
  const stat = context.calls.stat(child.descriptor)
  const kind = kindOf(stat)
  const location: EntryLocation = { folder: tree.into, name }
  if (kind === 'folder')
    await copySubfolder(context, treeBelow(tree, child.descriptor, name), { location, stat })
  else if (kind === 'file') await copyFile(context, tree, { source: child.descriptor, stat, location })
  else if (kind === 'link') await copyLink(context, tree, location)
  else if (tree.copyKind === 'exact') throw new AppError('unsupported')
  else context.losses.add('special', pathBelow(tree.path, name))
}

const treeBelow = (tree: TreeCopyRequest, from: number, name: string): TreeCopyRequest => ({
  ...tree,
  from,
  path: pathBelow(tree.path, name),
  to: tree.to === null ? null : pathBelow(tree.to, name),
})

type CopyDestination = { readonly location: EntryLocation; readonly stat: FileStat }

async function copySubfolder(
  context: TaskContext,
  tree: TreeCopyRequest,
  { location, stat }: CopyDestination,
): Promise<void> {
  refuseIntoItself(stat, tree.destinations)
  const existing = tree.to === null ? null : context.calls.statIfExists(location)
  if (existing !== null && kindOf(existing) !== 'folder') throw new AppError('name-taken')
  if (existing === null) makeFolderAt(location, 0o700)
  using into = disposable(openChild(location.folder, location.name))
  const destinations = existing === null ? tree.destinations : [...tree.destinations, existing]
  await copyTree(context, { ...tree, into: into.descriptor, destinations })
  if (existing === null)
    copyFolderMetadata(context, { from: tree.from, to: into.descriptor, stat, copyKind: tree.copyKind })
}

function copyFolderMetadata(context: TaskContext, copied: CopiedEntry): void {
  using readable = disposable(reopen(copied.to, openFlags.folder))
  copyMetadata(context, { ...copied, to: readable.descriptor })
  if (context.calls.flushFileSystem === null) flushFolder(copied.to)
}

type ChildFileCopyRequest = CopyDestination & { readonly source: number }

async function copyFile(
  context: TaskContext,
  { copyKind, to }: TreeCopyRequest,
  bytes: ChildFileCopyRequest,
): Promise<void> {
  if (isOwnFile(context, bytes.stat)) throw new AppError('forbidden')
  if (to === null) return copyBytes(context, { ...bytes, copyKind })
  const existing = context.calls.statIfExists(bytes.location)
  if (existing === null || kindOf(existing) !== 'link') return copyOnto(context, bytes, existing)
  // When the destination is a link, its target is replaced, as in a copy of a single file. A link that leaves the root
  // is refused.
  using slot = await openContentSlot(context, pathBelow(to, bytes.location.name), { dirMode: null })
  await copyOnto(context, { ...bytes, location: slot.location }, context.calls.statIfExists(slot.location))
  flushFolder(slot.folder.descriptor)
}

async function copyOnto(
  context: TaskContext,
  bytes: ChildFileCopyRequest,
  existing: FileStat | null,
): Promise<void> {
  if (existing !== null) {
    if (isOwnFile(context, existing)) throw new AppError('forbidden')
    if (kindOf(existing) === 'folder') throw new AppError('is-a-folder')
    if (kindOf(existing) !== 'file') throw new AppError('forbidden')
  }
  await copyFileStaged(context, { ...bytes, existing, copyKind: 'copy' })
}

/**
 * Copies a link. A link to a file inside the root is copied as a file. A link that is broken, leaves the root or leads
 * to a folder is skipped.
 */
async function copyLink(context: TaskContext, tree: TreeCopyRequest, location: EntryLocation): Promise<void> {
  if (tree.copyKind === 'exact')
    return symlinkAt(readLinkAt({ folder: tree.from, name: location.name }), location)
  const target = await findOrNull(context, pathBelow(tree.path, location.name))
  if (target === null) return
  using found = target
  if (kindOf(found.stat) !== 'file') return
  await copyFile(context, tree, { source: found.descriptor, stat: found.stat, location })
}

/**
 * Error codes for which a link is skipped. Disk errors are not in this list, because an incomplete copy would then be
 * reported as complete.
 */
const skippedCodes: readonly string[] = ['forbidden', 'not-found', 'not-a-folder', 'link-loop']

async function findOrNull(context: TaskContext, path: Path): Promise<ResolvedEntry | null> {
  try {
    return await resolvePath(context, path)
  } catch (error) {
    context.link.throwIfAborted()
    if (!skippedCodes.includes(codeOf(asFailure(error)))) throw error
    return null
  }
}
