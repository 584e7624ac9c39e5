import type { LocalFolder } from './port.ts'

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
   * Called once when the system does not report changes of this folder, or no longer does. It is not called after the
   * watch was stopped.
   */
  readonly onEnd: () => void
}

/** Reports changes of folders on disk, whatever program made them. */
export type FolderWatcher = {
  /** Watches the direct entries of a folder. The returned function stops the watch. */
  readonly watch: (
    folder: Pick<LocalFolder, 'realPath' | 'dev' | 'ino'>,
    listener: FolderWatchListener,
  ) => () => void
  readonly close: () => Promise<void>
}
