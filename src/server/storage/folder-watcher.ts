import type { DiskIdentity, LocalFolder } from './local-disk.ts'

/**
 * A direct entry of a watched folder that may have changed. `hasMoved` is false when only its content or its attributes
 * have changed: a missing entry then never had this name. The kernel reports writes to a file that is not linked into the
 * folder yet under a made-up name.
 */
export type ChangedName = { readonly name: string; readonly hasMoved: boolean }

/**
 * Names of direct entries of a watched folder that may have changed. Null when there were too many to list them, or
 * when notifications were lost: anything in the folder may have changed.
 */
export type ChangedNames = readonly ChangedName[] | null

export type FolderWatchListener = {
  /** Called once when the system has begun to report changes. */
  readonly onStart: () => void
  readonly onChange: (names: ChangedNames) => void
  /**
   * Called once when the folder was deleted, moved or unmounted. The watch has ended, even if a folder with the same
   * path, device and inode exists: file systems give new folders the inodes of deleted ones.
   */
  readonly onGone: () => void
  /**
   * Called once when the system does not report changes of this folder, or no longer does. It is not called after the
   * watch was stopped.
   */
  readonly onEnd: () => void
}

/**
 * The state of a watched folder. The id is different after any notification, and in each watch. `changedAtMs` is the time
 * of the last notification or of the start of the watch, by `monotonicMs`.
 */
export type FolderVersion = { readonly id: string; readonly changedAtMs: number }

/** Returns a time in ms that never goes back and is the same in all threads of the process. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6

/** The versions of the folders that clients show. */
export type FolderVersions = {
  /** Returns the version of a folder (see `FolderWatch`), or null when the folder is not watched or is polled. */
  readonly versionOf: (folder: DiskIdentity) => Promise<FolderVersion | null>
  /** The number of folders that are watched now. */
  readonly count: () => number
}

export type FolderWatch = {
  /**
   * Returns the version of the folder after all changes that were complete before this call, by whatever program. Null
   * when the system does not report the changes of the folder.
   */
  readonly version: () => Promise<FolderVersion | null>
  readonly stop: () => void
}

/** Reports changes of folders on disk, whatever program made them. */
export type FolderWatcher = {
  /** Watches the direct entries of a folder. */
  readonly watch: (
    folder: Pick<LocalFolder, 'realPath' | 'dev' | 'ino'>,
    listener: FolderWatchListener,
  ) => FolderWatch
  readonly close: () => Promise<void>
}
