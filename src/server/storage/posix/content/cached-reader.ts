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
 * Reads small files that are in the page cache on the main thread, with calls that never wait for a disk. Sending the
 * read to a worker thread takes ten times as long. Worker threads handle every case that is not simple: links, other
 * mounts, files that may belong to the server itself, and reads that would have to wait.
 */
export type CachedFileReader = {
  /**
   * Returns the file, or null when a worker thread must read it. The caller has already checked the path as requested.
   */
  read(readRoot: CachedReadRoot, path: Path): OpenedFile | null
  /** Must be called after a worker thread has found that the volume's root folder is still at its path. */
  confirmVolumeRoot(): void
}

/**
 * The root of a read on the main thread. It consists of the context that a worker thread would receive, the root folder
 * of the storage and the root folder of the volume.
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
 * Creates a reader for the root folder with which a volume was opened. Worker threads read the files below any other
 * root folder, and on other disks below it.
 */
export function createCachedReader(firstVolumeRoot: RootFolder, nowMs: () => number): CachedFileReader {
  const isLocal = localFileSystems.has(statfsSync(pathOfDescriptor(firstVolumeRoot.descriptor)).type)
  let calls: NonBlockingCalls | null = null
  let isLoading = false
  let confirmedAtMs = Number.NEGATIVE_INFINITY

  /** Loads the non-blocking calls. Called after the first file was opened, so that other servers never load them. */
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
    const facts = calls.stat(handle)
    if (facts === null || kindOf(facts) !== 'file' || facts.sizeBytes > smallFileBytes) return null
    if (rootContext.reservedFiles.files.some((file) => isSame(file, facts))) return null
    const bytes = calls.readCached(handle, facts.sizeBytes)
    return bytes === null ? null : { entry: entryOf(nameOf(path), facts), bytes }
  } catch {
    // A worker thread repeats the read and reports the error.
    return null
  } finally {
    if (handle !== null) closeSync(handle)
  }
}
