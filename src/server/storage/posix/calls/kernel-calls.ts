import { closeSync, openSync } from 'node:fs'
import { constants } from 'node:os'
import {
  unreachableMode,
  type FileSystemCalls,
  type EntryLocation,
  type StatColumns,
} from './file-system-calls.ts'
import { fileStatOf, type FileStat } from './file-stat.ts'
import { createAttributeCopier } from './attributes.ts'
import { createConcurrentFlusher } from './concurrent-flusher.ts'
import { mountIdOf, openFlags, pathOfDescriptor } from './descriptors.ts'
import {
  atEmptyPath,
  basicStats,
  closeOnExec,
  direntBytes,
  loadKernel,
  pathBytes,
  resolveBeneath,
  resolveNoMagicLinks,
  resolveNoSymlinks,
  systemError,
  type OpenHow,
  type KernelFunctions,
  type LoadedKernel,
  type KernelBuffers,
} from './kernel.ts'
import {
  createNamePacker,
  clearPacker,
  finishPacking,
  reserveSpace,
  type PackedNames,
  type NamePacker,
} from './packed-names.ts'

/** Flags and mask bits of statx(2). */
const noFollow = 0x100
const mountIdStat = 0x1000
const listStats = 0x1 | 0x2 | 0x4 | 0x40 | 0x200
/** Flags RENAME_NOREPLACE and RENAME_EXCHANGE of renameat2(2). */
const noReplace = 1
const exchangeNames = 2
/** Flag AT_SYMLINK_FOLLOW of linkat(2). */
const followSymlink = 0x400
/**
 * Flags of sync_file_range(2). `startWriting` only starts the write; `writeAndWait` also waits until everything is
 * written.
 */
const startWriting = 2
const writeAndWait = 1 | 2 | 4
/** Whence values of lseek(2). */
const [seekSet, seekData, seekHole] = [0, 3, 4]
/** Error number ENXIO of lseek(2): no data follows. */
const noData = 6
/** Error number ENOENT: no entry has the name. */
const noEntry = 2
/**
 * AT_FDCWD, the folder argument that stands for the current folder. The kernel ignores the argument here, because the
 * path is absolute.
 */
const currentFolder = -100

/**
 * Creates the implementation that calls the kernel directly, or null when koffi does not load, the processor
 * architecture is unknown, or a required call is missing or forbidden.
 */
export async function loadKernelCalls(): Promise<FileSystemCalls | null> {
  const loaded = await loadKernel()
  if (loaded === null) return null
  try {
    const calls = kernelCallsOf(loaded)
    probe(calls)
    return calls
  } catch {
    return null
  }
}

/** Makes two of the calls on the root folder. Throws when the kernel or a seccomp filter refuses them. */
function probe(calls: FileSystemCalls): void {
  const root = openSync('/', openFlags.folderHandle)
  const descriptor = calls.openNoFollow(root, [])
  calls.stat(descriptor)
  for (const opened of [root, descriptor]) closeSync(opened)
}

const howOf = (flags: number, resolve: number): OpenHow => ({
  flags: BigInt(flags | closeOnExec),
  resolve: BigInt(resolve | resolveBeneath | resolveNoMagicLinks),
})
const openHow = {
  plain: howOf(openFlags.handle, resolveNoSymlinks),
  following: howOf(openFlags.followingHandle, 0),
  file: howOf(openFlags.read, resolveNoSymlinks),
  folder: howOf(openFlags.plainFolder, resolveNoSymlinks),
} as const

/** Returns the calls as they are made by a kernel, with the layouts in which it expects and returns values. */
export function kernelCallsOf(loaded: LoadedKernel): FileSystemCalls {
  const { kernel, number, buffers } = loaded
  const fail = (): never => {
    throw systemError(kernel.errno())
  }
  const orFail = (result: number): number => (result < 0 ? fail() : result)

  function openat2(folder: number, names: readonly string[], { flags, resolve }: OpenHow): number {
    buffers.how[0] = flags
    buffers.how[2] = resolve
    const path = buffers.writePath(names.length === 0 ? '.' : names.join('/'), 0)
    return kernel.openat2(number.openat2, folder, path, buffers.howAt, 24)
  }

  function statx(folder: number, path: number, flags: number): FileStat | null {
    const result = kernel.statx(number.statx, folder, path, flags, basicStats, buffers.statAt)
    return result < 0 ? null : fileStatOf(buffers.stat)
  }

  const renameWith =
    (flags: number) =>
    (from: EntryLocation, to: EntryLocation): void => {
      const [fromPath, toPath] = [buffers.writePath(from.name, 0), buffers.writePath(to.name, pathBytes / 2)]
      if (kernel.renameat2(number.renameat2, from.folder, fromPath, to.folder, toPath, flags) < 0) fail()
    }

  return {
    kind: 'kernel',
    openNoFollow: (folder, names) => orFail(openat2(folder, names, openHow.plain)),
    openFollowing(folder, names) {
      const opened = openat2(folder, names, openHow.following)
      return opened < 0 ? null : opened
    },
    openFile: ({ folder, name }) => orFail(openat2(folder, [name], openHow.file)),
    openFolder: ({ folder, name }) => orFail(openat2(folder, [name], openHow.folder)),
    stat: (descriptor) => statx(descriptor, buffers.writePath('', 0), atEmptyPath | noFollow) ?? fail(),
    statAt: ({ folder, name }) => statx(folder, buffers.writePath(name, 0), noFollow) ?? fail(),
    statIfExists: ({ folder, name }) =>
      statx(folder, buffers.writePath(name, 0), noFollow) ?? (kernel.errno() === noEntry ? null : fail()),
    mountId(descriptor) {
      const [path, flags] = [buffers.writePath('', 0), atEmptyPath | noFollow]
      const result = kernel.statx(number.statx, descriptor, path, flags, mountIdStat, buffers.statAt)
      const isKnown = result >= 0 && (buffers.stat.getUint32(0, true) & mountIdStat) !== 0
      return isKnown ? String(buffers.stat.getBigUint64(144, true)) : mountIdOf(descriptor)
    },
    readNames: (folder, into = createNamePacker(true)) =>
      readNames({ kernel, buffers, number: number.getdents64, folder }, into),
    statEntries: (from, into) => statEntries({ kernel, buffers, number: number.statx, ...from }, into),
    renameNoReplace: renameWith(noReplace),
    exchange: renameWith(exchangeNames),
    linkUnnamed(file, to) {
      const [fromPath, toPath] = [
        buffers.writePath(pathOfDescriptor(file), 0),
        buffers.writePath(to.name, pathBytes / 2),
      ]
      if (kernel.linkat(number.linkat, currentFolder, fromPath, to.folder, toPath, followSymlink) < 0) fail()
    },
    startWriteback: (file) => void kernel.syncFileRange(number.syncFileRange, file, 0, 0, startWriting),
    writeBack: (file) => void orFail(kernel.syncFileRange(number.syncFileRange, file, 0, 0, writeAndWait)),
    concurrentFlusher: createConcurrentFlusher(loaded),
    flushFileSystem: (descriptor) => void orFail(kernel.syncfs(number.syncfs, descriptor)),
    ...copyingCalls(loaded),
  }
}

/** Returns the calls that copy the content and the attributes of files. */
function copyingCalls(
  loaded: LoadedKernel,
): Pick<FileSystemCalls, 'dataAfter' | 'seek' | 'copyAttributes' | 'copyChunk'> {
  const { kernel, number } = loaded
  const fail = (): never => {
    throw systemError(kernel.errno())
  }
  const orFail = (result: number): number => (result < 0 ? fail() : result)
  return {
    dataAfter(file, at) {
      const start = kernel.lseek(number.lseek, file, at, seekData)
      if (start < 0) return kernel.errno() === noData ? null : fail()
      return { start, end: orFail(kernel.lseek(number.lseek, file, start, seekHole)) }
    },
    seek: (file, at) => void orFail(kernel.lseek(number.lseek, file, at, seekSet)),
    copyAttributes: createAttributeCopier(loaded),
    copyChunk: (from, to, maxBytes) =>
      orFail(kernel.copyFileRange(number.copyFileRange, from, 0, to, 0, maxBytes, 0)),
  }
}

type KernelFolderRead = {
  readonly kernel: KernelFunctions
  readonly buffers: KernelBuffers
  readonly number: number
  readonly folder: number
}

function readNames({ kernel, buffers, number, folder }: KernelFolderRead, packer: NamePacker): PackedNames {
  clearPacker(packer)
  const { dirents, direntsAt } = buffers
  for (;;) {
    const filled = kernel.getdents64(number, folder, direntsAt, direntBytes)
    if (filled < 0) throw systemError(kernel.errno())
    if (filled === 0) return finishPacking(packer)
    reserveSpace(packer, Math.ceil(filled / leastRecord), filled)
    packRecords(packer, dirents, filled)
  }
}

const leastRecord = 24
const dot = 46

/**
 * Adds the names from the records of one getdents64 call to the packer. Each record is a `struct linux_dirent64`,
 * aligned to 8 bytes: inode (8 bytes), offset (8), length (2), type (1), then the name and its NUL.
 */
function packRecords(packer: NamePacker, dirents: Buffer, filled: number): void {
  const words = new Uint32Array(dirents.buffer, dirents.byteOffset, direntBytes / 4)
  const { bytes, starts, kinds } = packer
  const inos = packer.inos?.all ?? new Float64Array()
  let { count, length } = packer
  for (let at = 0; at < filled; at += (words[(at >> 2) + 4] as number) & 0xffff) {
    const start = length
    let from = at + 19
    for (let byte = dirents[from] as number; byte !== 0; byte = dirents[from] as number) {
      bytes[length] = byte
      length += 1
      from += 1
    }
    if (
      bytes[start] === dot &&
      (length === start + 1 || (length === start + 2 && bytes[start + 1] === dot))
    ) {
      length = start
      continue
    }
    bytes[length] = 0
    length += 1
    starts[count] = start
    kinds[count] = dirents[at + 18] as number
    inos[count] = (words[at >> 2] as number) + (words[(at >> 2) + 1] as number) * 0x1_0000_0000
    count += 1
  }
  packer.count = count
  packer.length = length
}

type KernelStatRequest = KernelFolderRead & { readonly names: PackedNames; readonly indices: Uint32Array }

/**
 * Reads the metadata of many entries into the columns. The kernel reads the names directly from packed memory, so that
 * the function creates no strings and no error objects.
 */
function statEntries(
  { kernel, buffers, number, folder, names, indices }: KernelStatRequest,
  into: StatColumns,
): void {
  const { stat, statAt } = buffers
  const { statx } = kernel
  const { modes, sizesBytes, modifiedMs, linkedFiles } = into
  const bytesAt = kernel.addressOf(names.bytes)
  for (let at = 0; at < indices.length; at += 1) {
    const index = indices[at] as number
    const nameAt = bytesAt + (names.starts[index] as number)
    if (statx(number, folder, nameAt, noFollow, listStats, statAt) < 0) {
      modes[index] = goneErrnos.has(kernel.errno()) ? 0 : unreachableMode
      continue
    }
    const mode = stat.getUint16(28, true)
    modes[index] = mode
    if ((mode & 0o170000) === 0o100000 && stat.getUint32(16, true) > 1) linkedFiles[0] = 1
    sizesBytes[index] = stat.getUint32(40, true) + stat.getUint32(44, true) * 0x1_0000_0000
    modifiedMs[index] = milliseconds(stat, 112)
  }
}

/** The numbers of the errors of an entry that no longer exists: ENOENT and ENOTDIR. */
const goneErrnos: ReadonlySet<number> = new Set([constants.errno.ENOENT, constants.errno.ENOTDIR])

/** Reads a time, which is stored as signed 64-bit seconds and 32-bit nanoseconds, and converts it to milliseconds. */
const milliseconds = (stat: DataView, at: number): number =>
  (stat.getInt32(at + 4, true) * 0x1_0000_0000 + stat.getUint32(at, true)) * 1000 +
  stat.getUint32(at + 8, true) / 1e6
