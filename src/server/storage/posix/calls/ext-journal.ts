import { existsSync, readlinkSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { pathOfDescriptor } from './descriptors.ts'

/** Magic number of ext2, ext3 and ext4 (statfs(2)). */
const extType = 0xef53
/**
 * Inode number of the file that contains the journal (ext4's `EXT4_JOURNAL_INO`). The kernel appends this number to the
 * journal's name under /proc/fs/jbd2.
 */
const journalInode = 8

/**
 * Tells whether an ext file system has a visible journal. `journaled`: a journal is visible under /proc. `unjournaled`: no
 * journal is visible there.
 */
export type ExtKind = 'journaled' | 'unjournaled'

/** Returns `journaled` or `unjournaled` for the ext file system that contains a folder, or null for any other file system. */
export function extKindOf(folder: number, dev: bigint): ExtKind | null {
  if (statfsSync(pathOfDescriptor(folder)).type !== extType) return null
  const name = diskName(dev)
  return name !== null && existsSync(`/proc/fs/jbd2/${name}-${journalInode}`) ? 'journaled' : 'unjournaled'
}

/** Returns the kernel's name of a device, for example `sda1`, or null when /sys does not show it. */
function diskName(dev: bigint): string | null {
  try {
    return path.basename(readlinkSync(`/sys/dev/block/${majorOf(dev)}:${minorOf(dev)}`))
  } catch {
    return null
  }
}

/** These functions extract the major and the minor device number from `st_dev` (makedev(3)). */
const majorOf = (dev: bigint): bigint => ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn)
const minorOf = (dev: bigint): bigint => (dev & 0xffn) | ((dev >> 12n) & 0xfff_ff00n)
