import { diskNameOf, diskPathOf, type DiskPath } from '../disk-path.ts'
import { randomBytes } from 'node:crypto'
import { constants, openSync, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isText } from '../../../shared/domain/name-bytes.ts'
import { root } from '../../../shared/domain/path.ts'
import { createKeyedLimiter } from '../../concurrency/keyed-limiter.ts'
import type { Volume } from '../port.ts'
import { runTask, type StorageContext, type VolumeContext } from './storage-context.ts'
import { createCachedReader } from './content/cached-reader.ts'
import { createDeadlineCalls } from './content/deadline-calls.ts'
import { createMountPointLookup, mountOf } from './calls/mounts.ts'
import { createMountedDisks } from './mounted-disks.ts'
import { createJournal } from './journal.ts'
import { stagedNameOf, reservedNamesAt, type ReservedFiles } from './resolution/reserved-names.ts'
import { createRootFolders } from './root-folders.ts'
import { noRules } from './rules.ts'
import { storageOf } from './storage.ts'
import { mountIdOf } from './calls/descriptors.ts'
import { foldsCase } from './calls/folds-case.ts'
import type { SweepResult } from './tasks/sweep-staged.ts'
import { createStorageThreads, defaultDeadlineMs, type StorageThreads } from './storage-threads.ts'
import { stagedPathOf } from './upload-sessions.ts'
import { flushFolderOf, createFolderFlushes } from './content/flushing.ts'

/** Options of a volume. Only `root` is required. */
export type PosixVolumeOptions = {
  /** The folder on disk that is served. */
  readonly root: string
  /**
   * The way in which the adapter accesses the disk. With `auto`, the default, the adapter makes system calls directly
   * where the system supports this. With `walk`, only Node's own file system functions are used.
   */
  readonly calls?: 'auto' | 'walk'
  /**
   * Permission bits of new files and folders. The server applies the umask to the bits of files, and the system applies
   * it to the bits of folders.
   */
  readonly fileMode?: number
  readonly dirMode?: number
  /**
   * Returns the server's own files, which are never served, even if they are located in the served folder. This
   * function is called for each request.
   */
  readonly reservedFiles?: () => ReservedFiles
  readonly followExternalSymlinks?: boolean
  /**
   * Path of the server's own folder that contains the journal of staged files. Without this folder, staged files of a
   * crashed server are not removed.
   */
  readonly stateFolder?: string
  readonly threads?: number
  /** The threads that run the tasks of the volume. By default, the volume starts its own. The volume closes them. */
  readonly pool?: StorageThreads
  /**
   * Size of Node's own thread pool; 4 by default, as in Node. Reads, writes and flushes of files use at most a quarter
   * of these threads, but always at least two.
   */
  readonly nodeThreads?: number
  /** Time in milliseconds after which a hanging system call fails with `timeout`; 30 seconds by default. */
  readonly deadlineMs?: number
  /** Interval in milliseconds at which idle threads are ended; 15 s by default. */
  readonly idleThreadCheckMs?: number | undefined
  readonly id?: string
  readonly nowMs?: () => number
}

const noReservedFiles: ReservedFiles = { files: [], prefixes: [] }

/** A volume on a disk of this machine. */
export type LocalVolume = Volume & Required<Pick<Volume, 'localDisk'>>

/** Opens a folder of this machine as a volume. Throws the system's error when the folder cannot be opened. */
export function createPosixVolume(options: PosixVolumeOptions): LocalVolume {
  const realPath = diskPathOf(realpathSync(options.root))
  const { volume, context } = createContext(options, realPath)
  const removeStaged = async (paths: readonly DiskPath[]): Promise<SweepResult> =>
    paths.length === 0
      ? { removed: 0, left: [] }
      : runTask(context, { task: 'sweepStaged', input: { paths }, isUnlimited: true })
  const storage = storageOf(context)
  return {
    ...storage,
    localDisk: {
      ...storage.localDisk,
      ...createMountedDisks(realPath, storage.localDisk.folder),
      pathOf: (path) => (isText(path) ? resolve(options.root, `.${path}`) : null),
    },
    id: options.id ?? 'posix',
    name: diskNameOf(realPath) || '/',
    foldsCase: foldsCase(realPath, stagedNameOf(randomBytes(16).toString('hex'))),
    realPath: async (path, options) => runTask(context, { task: 'realPath', input: { path }, options }),
    async sweep(keeps) {
      const old = await volume.journal.readOld()
      const kept = new Set(stagedPathsOf(old.length === 0 ? [] : ((await keeps?.()) ?? [])))
      const { removed, left } = await removeStaged(old.filter((path) => !kept.has(path)))
      // A later start of the server may be able to remove these files, so they are recorded again and `dropOld` does
      // not drop them.
      await Promise.all(left.map((path) => volume.journal.add(path)))
      await volume.journal.dropOld()
      return removed
    },
    discard: async (tokens) => (await removeStaged(stagedPathsOf(tokens))).removed,
    async close() {
      await volume.pool.close()
      await volume.journal.close()
      volume.roots.drop(volume.volumeRoot)
    },
  }
}

const stagedPathsOf = (tokens: readonly string[]): DiskPath[] =>
  tokens.flatMap((token) => stagedPathOf(token) ?? [])

function createContext(
  options: PosixVolumeOptions,
  realPath: DiskPath,
): { volume: VolumeContext; context: StorageContext } {
  const descriptor = openSync(realPath, constants.O_RDONLY | constants.O_DIRECTORY)
  const { dev, ino } = statSync(realPath, { bigint: true })
  const roots = createRootFolders()
  const mountId = mountIdOf(descriptor)
  const umask = process.umask()
  const deadlineMs = options.deadlineMs ?? defaultDeadlineMs
  const volumeRoot = roots.keep({ descriptor, dev, ino, mountId, path: root, realPath })
  const volume: VolumeContext = {
    pool:
      options.pool ??
      createStorageThreads({
        calls: options.calls ?? 'auto',
        size: options.threads,
        deadlineMs,
        idleCheckMs: options.idleThreadCheckMs,
      }),
    mountPointOf: createMountPointLookup(Date.now),
    cachedReader: options.calls === 'walk' ? null : createCachedReader(volumeRoot, () => performance.now()),
    calls: createDeadlineCalls({
      maxConcurrent: Math.max(2, Math.floor((options.nodeThreads ?? 4) / 4)),
      deadlineMs,
    }),
    roots,
    journal: createJournal(options.stateFolder),
    fileLocks: createKeyedLimiter({ maxConcurrent: 1 }),
    flushes: createFolderFlushes(flushFolderOf),
    volumeRoot,
    mountPoint: mountOf(descriptor)?.point ?? null,
    reservedNames: reservedNamesAt(realPath),
    followsExternal: options.followExternalSymlinks ?? false,
    fileMode: (options.fileMode ?? 0o640) & ~umask,
    dirMode: options.dirMode ?? 0o750,
    reservedFiles: options.reservedFiles ?? (() => noReservedFiles),
    nextModifiedMs: createDistinctClock(options.nowMs ?? Date.now),
  }
  return { volume, context: { volume, narrowedRoot: null, rules: noRules } }
}

/**
 * Creates a clock that advances by at least a microsecond with each call, so that no two versions of a file have
 * the same modification time.
 */
function createDistinctClock(nowMs: () => number): () => number {
  let last = 0
  return () => {
    last = Math.max(nowMs(), last + 0.001)
    return last
  }
}
