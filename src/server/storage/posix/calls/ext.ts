import { existsSync, readlinkSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { pathOfDescriptor } from './descriptors.ts'

/** ext2, ext3, ext4 (statfs(2)) */
const extType = 0xef53
/** Of the file that a journal is kept in (ext4's `EXT4_JOURNAL_INO`), by which the kernel names it. */
const journalInode = 8

/** `journaled` as far as it can be seen. */
export type Ext = 'journaled' | 'bare'

/** Whether a folder lies on ext, and on which; null on another file system. */
export function extOf(folder: number, dev: bigint): Ext | null {
  if (statfsSync(pathOfDescriptor(folder)).type !== extType) return null
  const name = diskName(dev)
  return name !== null && existsSync(`/proc/fs/jbd2/${name}-${journalInode}`) ? 'journaled' : 'bare'
}

/** What the kernel calls a disk: `sda1`; null where that is not to be seen. */
function diskName(dev: bigint): string | null {
  try {
    return path.basename(readlinkSync(`/sys/dev/block/${majorOf(dev)}:${minorOf(dev)}`))
  } catch {
    return null
  }
}

/** Both parts of `st_dev` (makedev(3)). */
const majorOf = (dev: bigint): bigint => ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn)
const minorOf = (dev: bigint): bigint => (dev & 0xffn) | ((dev >> 12n) & 0xfff_ff00n)
