/**
 * A disk as it is remembered while it may be missing. `mountPoint` is an absolute path of the machine that
 * ends with a slash. `inode` is the decimal
 * inode number of the topmost served folder on the disk. When the mount point is gone and this folder is still there, the
 * mount was only another name of the same disk.
 */
export type MountedDisk = { readonly mountPoint: string; readonly inode: string }

/** True when both are the same disk, or both are null. */
export const isSameDisk = (one: MountedDisk | null, other: MountedDisk | null): boolean =>
  one?.mountPoint === other?.mountPoint && one?.inode === other?.inode
