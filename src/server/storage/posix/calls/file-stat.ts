import type { Entry, EntryKind, LinkTarget } from '../../../../shared/domain/entry.ts'

const kinds: Readonly<Record<number, EntryKind>> = {
  0o040000: 'folder',
  0o100000: 'file',
  0o120000: 'link',
}

/** Returns the kind of entry that a mode describes. */
export const kindOfMode = (mode: number): EntryKind => kinds[mode & 0o170000] ?? 'other'

export const kindOf = (stat: FileStat): EntryKind => kindOfMode(stat.mode)

/** Returns the modification time in milliseconds, including the fraction. */
export const modifiedMsOf = (stat: FileStat): number => Number(stat.modifiedNs / 1000n) / 1000

/**
 * Returns an etag that changes whenever the bytes may have changed. A save creates a new inode. An edit by another
 * program updates the modification time and the change time, and no program can set the change time.
 */
export const etagOf = ({ ino, sizeBytes, modifiedNs, changedNs }: FileStat): string =>
  `${ino.toString(36)}-${sizeBytes.toString(36)}-${modifiedNs.toString(36)}-${changedNs.toString(36)}`

/**
 * Returns true when an entry is still the one that had this etag: a file with the same content, or the same folder,
 * whatever it contains.
 */
export const isUnchanged = (stat: FileStat, etag: string): boolean =>
  kindOf(stat) === 'folder' ? etag.startsWith(`${stat.ino.toString(36)}-`) : etagOf(stat) === etag

/** Returns the entry for a name that is not a link. */
export const entryOf = (name: string, stat: FileStat): Entry => ({
  name,
  kind: kindOf(stat),
  sizeBytes: stat.sizeBytes,
  modifiedMs: modifiedMsOf(stat),
  mode: stat.mode,
  etag: etagOf(stat),
})

/**
 * Returns the entry for a link from the metadata of the link and its target. A null target means that the link is
 * broken but does not leave the root. The entry has the etag of the target, so that the etag changes with the bytes of
 * the target.
 */
export const linkEntryOf = (name: string, own: FileStat, target: FileStat | null): Entry => ({
  ...entryOf(name, own),
  etag: etagOf(target ?? own),
  target: target === null ? brokenTarget(own) : targetOf(target),
})

const targetOf = (stat: FileStat): LinkTarget => ({
  kind: kindOf(stat) as LinkTarget['kind'],
  sizeBytes: stat.sizeBytes,
  modifiedMs: modifiedMsOf(stat),
  mode: stat.mode,
})

const brokenTarget = (own: FileStat): LinkTarget => ({
  kind: 'missing',
  sizeBytes: own.sizeBytes,
  modifiedMs: modifiedMsOf(own),
  mode: own.mode,
})

/** Returns true when both values identify the same file or folder, even if the names differ. */
export const isSame = (a: InodeId, b: InodeId): boolean => a.ino === b.ino && a.dev === b.dev

/** Device and inode number, which together identify a file or folder on this machine. */
export type InodeId = { readonly dev: bigint; readonly ino: bigint }
/**
 * Metadata of one entry as the kernel reports it. Times are in whole nanoseconds, so that two successive versions of a
 * file have different times.
 */
export type FileStat = {
  readonly mode: number
  readonly sizeBytes: number
  readonly dev: bigint
  readonly ino: bigint
  readonly modifiedNs: bigint
  readonly changedNs: bigint
  readonly links: number
  readonly uid: number
  readonly gid: number
}

/** Converts a `struct statx` in memory to a `FileStat`. */
export function fileStatOf(stat: DataView): FileStat {
  return {
    mode: stat.getUint16(28, true),
    links: stat.getUint32(16, true),
    uid: stat.getUint32(20, true),
    gid: stat.getUint32(24, true),
    ino: stat.getBigUint64(32, true),
    sizeBytes: Number(stat.getBigUint64(40, true)),
    changedNs: nanoseconds(stat, 96),
    modifiedNs: nanoseconds(stat, 112),
    dev: deviceOf(stat.getUint32(136, true), stat.getUint32(140, true)),
  }
}

const nanoseconds = (stat: DataView, at: number): bigint =>
  stat.getBigInt64(at, true) * 1_000_000_000n + BigInt(stat.getUint32(at + 8, true))

/**
 * Combines a major and a minor device number into the format of `st_dev` (makedev(3)). The kernel's major numbers have
 * 12 bits and its minor numbers 20 bits, so the floating-point result is exact.
 */
const deviceOf = (major: number, minor: number): bigint =>
  BigInt((major & 0xfff) * 0x100 + (minor & 0xff) + (minor >>> 8) * 0x10_0000 + (major >>> 12) * 2 ** 44)
