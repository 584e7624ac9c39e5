import { readSync, statfsSync } from 'node:fs'
import type { Entry } from '../../../../shared/domain/entry.ts'
import { AppError } from '../../../../shared/domain/failure.ts'
import { nameOf, root, type Path } from '../../../../shared/domain/path.ts'
import type { LocalFolder } from '../../local-disk.ts'
import { smallFileBytes, type DiskUsage } from '../../port.ts'
import { disposable, mountIdOf, openFlags, realPathOf, reopen } from '../calls/descriptors.ts'
import { entryOf, kindOf, linkEntryOf, type FileStat } from '../calls/file-stat.ts'
import { isAbsent } from '../resolution/parent-slot.ts'
import {
  resolvePath,
  resolveEntry,
  resolveFolder,
  resolveLinkFree,
  statLinkTarget,
  type ResolvedEntry,
} from '../resolution/resolve-path.ts'
import type { OpenedRoot, TaskContext } from '../resolution/task-context.ts'

/** Returns the entry at a path. The entry of a link includes its target. */
export async function statEntry(context: TaskContext, { path }: { readonly path: Path }): Promise<Entry> {
  using found = await resolveEntry(context, path)
  const name = nameOf(path)
  if (kindOf(found.stat) !== 'link') return entryOf(name, found.stat)
  return linkEntryOf(name, found.stat, await statLinkTarget(context, path))
}

/**
 * Returns the entry at a path after a change that has put it there. When somebody else has moved it on meanwhile, the change was
 * made nevertheless, and its result is described by `known`.
 */
export async function entryAfter(context: TaskContext, path: Path, known: FileStat): Promise<Entry> {
  try {
    return await statEntry(context, { path })
  } catch (error) {
    if (!isAbsent(error)) throw error
    return entryOf(nameOf(path), known)
  }
}

/** A file that was opened for reading: its descriptor or, for a small file, its bytes without a descriptor. */
export type OpenedFile = { readonly entry: Entry } & (
  | { readonly descriptor: number }
  | { readonly bytes: Uint8Array }
)

/**
 * Opens a file for reading. When the path contains no link, the result is returned directly instead of as a promise.
 */
export function openFileForReading(
  context: TaskContext,
  { path }: { readonly path: Path },
): OpenedFile | Promise<OpenedFile> {
  const found = resolveLinkFree(context, path)
  if (found !== null) return openFound(context, path, found)
  return resolvePath(context, path).then((linked) => openFound(context, path, linked))
}

/**
 * Opens a resolved entry for reading if it is a regular file. Opening a pipe would wake its writer, and opening a
 * device may have side effects.
 */
function openFound({ link }: TaskContext, path: Path, given: ResolvedEntry): OpenedFile {
  using found = given
  const kind = kindOf(found.stat)
  if (kind === 'folder') throw new AppError('is-a-folder')
  if (kind !== 'file') throw new AppError('forbidden')
  const entry = entryOf(nameOf(path), found.stat)
  const descriptor = reopen(found.descriptor, openFlags.read)
  // Reading a small file here saves two messages to a thread: one that requests the bytes and one that closes the file.
  if (entry.sizeBytes > smallFileBytes) return { descriptor, entry }
  using file = disposable(descriptor)
  const bytes = new Uint8Array(entry.sizeBytes)
  link.transferWithResult(bytes.buffer)
  // A file that has become shorter is read up to its new end. The caller detects this by comparing the number of bytes
  // with the size in the entry.
  return { entry, bytes: bytes.subarray(0, readSync(file.descriptor, bytes, 0, bytes.length, 0)) }
}

/** Opens a folder as the root of a narrower storage. */
export async function openRoot(context: TaskContext, { path }: { readonly path: Path }): Promise<OpenedRoot> {
  using found = await resolveFolder(context, path)
  const descriptor = reopen(found.descriptor, openFlags.followingHandle)
  const { dev, ino } = found.stat
  const mountId = mountIdOf(descriptor)
  return { descriptor, dev, ino, mountId, path: found.path, realPath: realPathOf(descriptor) }
}

/** Returns the path of an entry inside the root, with all links resolved. */
export async function realPath(context: TaskContext, { path }: { readonly path: Path }): Promise<Path> {
  using found = await resolvePath(context, path)
  return found.path
}

/**
 * Returns the location of a folder on disk, or null when its path is not valid UTF-8 and therefore cannot be passed to
 * a program as an argument.
 */
export async function localFolder(
  context: TaskContext,
  { path }: { readonly path: Path },
): Promise<LocalFolder | null> {
  using found = await resolveFolder(context, path)
  const { dev, ino } = found.stat
  const realPath = realPathOf(found.descriptor)
  const ownNames = found.path === root ? context.rootContext.reservedNames : []
  return realPath.isWellFormed() ? { realPath, dev, ino, ownNames } : null
}

/** Returns the total and used space of the file system that contains a folder. */
export async function diskUsage(context: TaskContext, { path }: { readonly path: Path }): Promise<DiskUsage> {
  using found = await resolveFolder(context, path)
  const { bsize, blocks, bfree } = statfsSync(`/proc/self/fd/${found.descriptor}`, { bigint: true })
  return { totalBytes: Number(blocks * bsize), usedBytes: Number((blocks - bfree) * bsize) }
}
