import type { MountedDisk } from '../../shared/domain/mounted-disk.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { OperationOptions } from './change.ts'
import type { DiskPath } from './disk-path.ts'

/**
 * What a storage offers in addition when its files are on a disk of this machine: to programs, which take paths and descriptors,
 * and to watches of folders. A storage without it, such as an object store, serves the same files: programs get copies,
 * folders are polled, and commands are refused.
 */
export type LocalDisk = {
  /**
   * Returns the location of a folder with all links resolved, or null when other programs cannot name the folder. Rules and
   * the scope do not restrict a program that uses this location.
   */
  readonly folder: (path: Path, options?: OperationOptions) => Promise<LocalFolder | null>
}

/** What the disk of a whole volume offers in addition. */
export type VolumeDisk = LocalDisk &
  MountedDisks & {
    /**
     * Returns the absolute path of an entry, as other programs see it. Null when other programs cannot name the entry,
     * for example when the bytes of its path are not valid UTF-8.
     */
    pathOf(path: Path): string | null
  }

/** The disks that are mounted in a volume. */
export type MountedDisks = {
  /**
   * Returns the disk that contains a path without links, whether or not an entry is there. Null for the system's own disk, and
   * where the system does not list its mounts.
   */
  diskOf(path: Path): Promise<MountedDisk | null>
  /** True when the disk that contained a path is not mounted. Another disk at the same mount point counts as its replacement. */
  isDiskMissing(path: Path, disk: MountedDisk): Promise<boolean>
}

/** The disks of a volume whose files are not on disks of this machine. */
export const noMountedDisks: MountedDisks = {
  diskOf: async () => null,
  isDiskMissing: async () => false,
}

/** Identifies a folder on disk, whatever path leads to it, until the folder is deleted. */
export type DiskIdentity = { readonly dev: bigint; readonly ino: bigint }

/** Location of a folder on disk, for other programs on this machine. */
export type LocalFolder = DiskIdentity & {
  readonly realPath: DiskPath
  /** Names of entries directly in the folder that belong to the server itself. Programs must not see these entries. */
  readonly ownNames: readonly string[]
}

/** The folder of a listing whose rows a watch can keep current. */
export type WatchableFolder = {
  readonly identity: DiskIdentity
  /**
   * Returns true when a watch of the folder reports every change of the rows, except of the rows of subfolders. Links and
   * files with several names change without a notification. The result is known after all pages have been read.
   */
  readonly isCoveredByWatch: () => boolean
}

/** The descriptor of an open file in this process, for a program that inherits it. It is valid until the file is closed. */
export type LocalHandle = { readonly descriptor: number }
