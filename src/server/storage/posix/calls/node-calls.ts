import {
  closeSync,
  fstatSync,
  lstatSync,
  readSync,
  readdirSync,
  writeSync,
  type BigIntStats,
  type Dirent,
  type Stats,
} from 'node:fs'
import {
  unreachableMode,
  type FileSystemCalls,
  type EntryLocation,
  type StatColumns,
} from './file-system-calls.ts'
import type { FileStat } from './file-stat.ts'
import {
  errnoOf,
  isGone,
  linkAt,
  mountIdOf,
  makeFolderAt,
  openAt,
  openFlags,
  pathAt,
  readLinkAt,
  removeFolderAt,
  renameAt,
  reopen,
  unlinkAt,
} from './descriptors.ts'
import {
  createNamePacker,
  direntType,
  finishPacking,
  nameAt,
  reserveSpace,
  type PackedNames,
} from './packed-names.ts'

/**
 * Creates the fallback for systems where the kernel cannot be called directly. It resolves paths name by name through
 * `/proc/self/fd`.
 */
export function nodeCalls(): FileSystemCalls {
  const copyBuffer = Buffer.allocUnsafeSlow(1024 * 1024)
  return {
    kind: 'walk',
    openNoFollow,
    openFollowing: () => null,
    openFile: (location) => openAt(location, openFlags.read),
    openFolder: (location) => openAt(location, openFlags.plainFolder),
    stat: (descriptor) => fileStatOf(fstatSync(descriptor, { bigint: true })),
    statAt: (location) => fileStatOf(lstatSync(pathAt(location), { bigint: true })),
    statIfExists(location) {
      const stats = lstatSync(pathAt(location), { bigint: true, throwIfNoEntry: false })
      return stats === undefined ? null : fileStatOf(stats)
    },
    mountId: mountIdOf,
    readNames,
    statEntries,
    renameNoReplace,
    exchange: null,
    linkUnnamed: null,
    startWriteback: () => {},
    writeBack: null,
    concurrentFlusher: null,
    flushFileSystem: null,
    dataAfter: null,
    seek: null,
    copyAttributes: () => true,
    copyChunk(from, to, maxBytes) {
      const length = readSync(from, copyBuffer, 0, Math.min(copyBuffer.length, maxBytes), null)
      for (let at = 0; at < length;) at += writeSync(to, copyBuffer, at, length - at)
      return length
    },
  }
}

/** Opens the names one after the other, each relative to the previous folder, without following links. */
function openNoFollow(folder: number, names: readonly string[]): number {
  let current = reopen(folder, openFlags.followingHandle)
  for (const [at, name] of names.entries()) {
    const above = current
    try {
      const isLast = at === names.length - 1
      current = openAt({ folder: above, name }, isLast ? openFlags.handle : openFlags.folderHandle)
    } catch (error) {
      throw errnoOf(error) === 'ENOTDIR' && isLink({ folder: above, name }) ? loopError(error) : error
    } finally {
      closeSync(above)
    }
  }
  return current
}

/**
 * Returns true when an entry is a link. When O_NOFOLLOW is used to open a folder, the kernel reports ENOTDIR for a link
 * as for a file, so this function tries to read the target of the link.
 */
function isLink(location: EntryLocation): boolean {
  try {
    readLinkAt(location)
    return true
  } catch {
    return false
  }
}

const loopError = (cause: unknown): Error => Object.assign(new Error('ELOOP', { cause }), { code: 'ELOOP' })

const fileStatOf = (stats: BigIntStats): FileStat => ({
  mode: Number(stats.mode),
  sizeBytes: Number(stats.size),
  dev: stats.dev,
  ino: stats.ino,
  modifiedNs: stats.mtimeNs,
  changedNs: stats.ctimeNs,
  links: Number(stats.nlink),
  uid: Number(stats.uid),
  gid: Number(stats.gid),
})

function readNames(folder: number): PackedNames {
  const packer = createNamePacker(false)
  const entries = readdirSync(`/proc/self/fd/${folder}`, { encoding: 'buffer', withFileTypes: true })
  for (const entry of entries) {
    reserveSpace(packer, 1, entry.name.length + 1)
    packer.bytes.set(entry.name, packer.length)
    packer.bytes[packer.length + entry.name.length] = 0
    packer.starts[packer.count] = packer.length
    packer.kinds[packer.count] = direntTypeOf(entry)
    packer.length += entry.name.length + 1
    packer.count += 1
  }
  return finishPacking(packer)
}

function direntTypeOf(entry: Dirent<Buffer>): number {
  if (entry.isFile()) return direntType.file
  if (entry.isDirectory()) return direntType.folder
  return entry.isSymbolicLink() ? direntType.link : direntType.unknown
}

type NodeStatRequest = { readonly folder: number; readonly names: PackedNames; readonly indices: Uint32Array }

function statEntries({ folder, names, indices }: NodeStatRequest, into: StatColumns): void {
  for (const index of indices) {
    const stats = statsOrMode({ folder, name: nameAt(names, index) })
    into.modes[index] = typeof stats === 'number' ? stats : stats.mode
    if (typeof stats === 'number') continue
    into.sizesBytes[index] = stats.size
    into.modifiedMs[index] = stats.mtimeMs
    if (stats.isFile() && stats.nlink > 1) into.linkedFiles[0] = 1
  }
}

/** Returns the metadata of an entry, or the mode that stands for an entry without metadata. */
function statsOrMode(location: EntryLocation): Stats | number {
  try {
    return lstatSync(pathAt(location))
  } catch (error) {
    return isGone(error) ? 0 : unreachableMode
  }
}

/**
 * Renames without replacing an existing entry. For a file, the new name is added as a hard link, which fails when the
 * name is taken, and then the old name is removed. For a folder, the new name is reserved by creating an empty folder.
 * The rename then replaces that folder, and fails if it is no longer empty.
 */
function renameNoReplace(from: EntryLocation, to: EntryLocation): void {
  if (!lstatSync(pathAt(from)).isDirectory()) {
    linkAt(from, to)
    unlinkAt(from)
    return
  }
  makeFolderAt(to, 0o700)
  try {
    renameAt(from, to)
  } catch (error) {
    removeFolderAt(to)
    throw error
  }
}
