import { closeSync, constants, openSync } from 'node:fs'
import { root, type Path } from '../../../../shared/domain/path.ts'
import { smallFileBytes } from '../../port.ts'
import { fileStatOf, type FileStat } from './file-stat.ts'
import { openFlags } from './descriptors.ts'
import {
  atEmptyPath,
  basicStats,
  closeOnExec,
  loadKernel,
  pathBytes,
  resolveBeneath,
  resolveNoMagicLinks,
  resolveNoSymlinks,
  type OpenHow,
  type LoadedKernel,
} from './kernel.ts'

/**
 * Kernel calls that never wait for a disk: they return data from the kernel's caches, or null when the caches do not
 * contain it. These are the only calls that the main thread may make on served files, and only on local file systems
 * (`localFileSystems` in `content/cached-reader.ts`). A network file system may contact its server when a file is
 * opened.
 */
export type NonBlockingCalls = {
  /** Opens an entry below a folder as an O_PATH handle without crossing a link or a mount. */
  openCached(folder: number, path: Path): number | null
  stat(handle: number): FileStat | null
  /**
   * Returns the complete contents of a file that is open as an O_PATH handle and is not larger than `smallFileBytes`.
   * Returns null when the contents are not completely in the page cache.
   */
  readCached(handle: number, sizeBytes: number): Uint8Array | null
}

/**
 * Resolve flag RESOLVE_CACHED of openat2(2): the call fails when it would have to wait. On kernels before Linux 5.12,
 * which lack the flag, the call always fails.
 */
const resolveCached = 0x20
const resolveNoMounts = 0x01
/** Flag AT_STATX_DONT_SYNC of statx(2). */
const cachedAttributes = 0x4000
/** Flag RWF_NOWAIT of preadv2(2): the call fails with EAGAIN when not all bytes are in the page cache. */
const noWait = 0x8
/**
 * Flags for opening a file on the main thread. O_NOATIME prevents a write of the access time. Only the owner of a file
 * may use that flag, so files of other owners are read by a worker thread.
 */
const nonBlockingReadFlags = openFlags.read | constants.O_NOATIME

const openCachedHow: OpenHow = {
  flags: BigInt(openFlags.handle | closeOnExec),
  resolve: BigInt(resolveBeneath | resolveNoMagicLinks | resolveNoSymlinks | resolveNoMounts | resolveCached),
}
const openForReadingHow: OpenHow = { flags: BigInt(nonBlockingReadFlags | closeOnExec), resolve: 0n }

/** Loads the non-blocking calls. Returns null when the kernel cannot be called directly. */
export async function loadNonBlockingCalls(): Promise<NonBlockingCalls | null> {
  const loaded = await loadKernel()
  return loaded === null ? null : nonBlockingCalls(loaded)
}

function nonBlockingCalls({ kernel, number, buffers }: LoadedKernel): NonBlockingCalls {
  const bytes = Buffer.allocUnsafeSlow(smallFileBytes)
  // Layout of `struct iovec`: address and length.
  const iovec = new BigUint64Array([BigInt(kernel.addressOf(bytes)), 0n])
  const iovecAt = kernel.addressOf(Buffer.from(iovec.buffer))
  // No other code uses these buffers, so the empty path that is written here stays in place.
  const noPath = buffers.writePath('', pathBytes / 2)
  // This folder stays open until the process ends. A handle is reopened by opening its number in this folder. If the
  // file may not be read, the result is an error code instead of an exception.
  const ownDescriptors = openSync('/proc/self/fd', openFlags.folderHandle)

  function open(folder: number, path: string, { flags, resolve }: OpenHow): number | null {
    buffers.how[0] = flags
    buffers.how[2] = resolve
    const opened = kernel.openat2(number.openat2, folder, buffers.writePath(path, 0), buffers.howAt, 24)
    return opened < 0 ? null : opened
  }

  return {
    openCached: (folder, path) => open(folder, path === root ? '.' : path.slice(1), openCachedHow),
    stat(handle) {
      const result = kernel.statx(
        number.statx,
        handle,
        noPath,
        atEmptyPath | cachedAttributes,
        basicStats,
        buffers.statAt,
      )
      return result < 0 ? null : fileStatOf(buffers.stat)
    },
    readCached(handle, sizeBytes) {
      const file = open(ownDescriptors, String(handle), openForReadingHow)
      if (file === null) return null
      // A try block is used because `using` would cost as much time as the open call itself.
      try {
        iovec[1] = BigInt(sizeBytes)
        const read = kernel.preadv2(number.preadv2, file, iovecAt, 1, 0, 0, noWait)
        return read === sizeBytes ? Buffer.copyBytesFrom(bytes, 0, sizeBytes) : null
      } finally {
        closeSync(file)
      }
    },
  }
}
