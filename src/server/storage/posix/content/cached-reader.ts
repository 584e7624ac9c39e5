import { closeSync, statfsSync } from 'node:fs'
import { nameOf, type Path } from '../../../../shared/domain/path.ts'
import { smallFileBytes } from '../../port.ts'
import { loadNonBlockingCalls, type NonBlockingCalls } from '../calls/non-blocking-calls.ts'
import { pathOfDescriptor } from '../calls/descriptors.ts'
import { entryOf, isSame, kindOf } from '../calls/file-stat.ts'
import { hasOwnName } from '../resolution/reserved-names.ts'
import type { RootContext } from '../resolution/task-context.ts'
import type { RootFolder } from '../root-folders.ts'
import type { OpenedFile } from '../tasks/stat-and-open.ts'

/**
 * Reads small files on the main thread when their content is in the page cache, with calls that never wait for a disk.
 * Sending such a read to a worker thread would take ten times as long. Worker threads handle everything else: links,
 * other mounts, files that may belong to the server itself, and reads that would have to wait.
 */
export type CachedFileReader = {
  /**
   * Returns the file, or null when a worker thread must read it. Before this call, the caller must check the path, as
   * requested, against the rules.
   */
  read(readRoot: CachedReadRoot, path: Path): OpenedFile | null
  /**
   * Records that the volume's root folder is still at its path. The caller calls this function after a worker thread
   * has verified it.
   */
  confirmVolumeRoot(): void
}

/**
 * The root of a read on the main thread: the context that a worker thread would receive, the root folder of the storage
 * and the root folder of the volume.
 */
export type CachedReadRoot = {
  readonly rootContext: RootContext
  readonly root: RootFolder
  readonly volumeRoot: RootFolder
}

/**
 * Time in milliseconds after which the presence of the volume's root folder must be confirmed again. Files of a disk
 * that was removed can be read from the page cache for at most this long.
 */
const confirmationMs = 1000

/**
 * Magic numbers of the file systems ext, xfs, btrfs, f2fs and tmpfs (statfs(2)). Opening a file on one of them never
 * waits for a network server.
 */
const localFileSystems = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x01021994])

/**
 * Creates a reader for files below the root folder that the volume was opened with, and on the same disk. Worker
 * threads read the files on other disks mounted below this folder. They also read all files when the volume has a new
 * root folder.
 */
export function createCachedReader(firstVolumeRoot: RootFolder, nowMs: () => number): CachedFileReader {
  const isLocal = localFileSystems.has(statfsSync(pathOfDescriptor(firstVolumeRoot.descriptor)).type)
  let calls: NonBlockingCalls | null = null
  let isLoading = false
  let confirmedAtMs = Number.NEGATIVE_INFINITY

  /**
   * Loads the non-blocking calls after the first file has been opened, so that a server that opens no files never loads
   * them.
   */
  async function load(): Promise<void> {
    isLoading = true
    calls = await loadNonBlockingCalls()
  }

  return {
    read({ rootContext, root, volumeRoot }, path) {
      const isConfirmed =
        volumeRoot === firstVolumeRoot &&
        root.dev === firstVolumeRoot.dev &&
        nowMs() - confirmedAtMs < confirmationMs
      if (calls === null || !isConfirmed || hasOwnName(rootContext.reservedFiles, path)) return null
      return readCachedFile(calls, rootContext, path)
    },
    confirmVolumeRoot() {
      confirmedAtMs = nowMs()
      if (isLocal && !isLoading) void load()
    },
  }
}

function readCachedFile(calls: NonBlockingCalls, rootContext: RootContext, path: Path): OpenedFile | null {
  let handle: number | null = null
  try {
    handle = calls.openCached(rootContext.descriptor, path)
    if (handle === null) return null
    const stat = calls.stat(handle)
    if (stat === null || kindOf(stat) !== 'file' || stat.sizeBytes > smallFileBytes) return null
    if (rootContext.reservedFiles.files.some((file) => isSame(file, stat))) return null
    const bytes = calls.readCached(handle, stat.sizeBytes)
    return bytes === null ? null : { entry: entryOf(nameOf(path), stat), bytes }
  } catch {
    // A worker thread repeats the read and reports the error.
    return null
  } finally {
    if (handle !== null) closeSync(handle)
  }
}
