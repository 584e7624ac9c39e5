/** The kind of an entry. A symbolic link has the kind `link`, whatever its target is. */
export type EntryKind = 'file' | 'folder' | 'link' | 'other'

/**
 * An entry of a storage. For a link, `target` describes the target of the link, and all other members except `etag`
 * describe the link itself.
 */
export type Entry = {
  readonly name: string
  readonly kind: EntryKind
  readonly sizeBytes: number
  readonly modifiedMs: number
  /** The POSIX `st_mode`: type and permission bits. */
  readonly mode: number
  /** An opaque string without quotation marks. It changes whenever the content of the file may have changed. For a link, it is the tag of the target. */
  readonly etag: string
  /**
   * The target of a link. It is always inside the root of the storage, because a link to a target outside is never
   * listed.
   */
  readonly target?: LinkTarget
}

/** The target of a link. The kind of a broken link's target is `missing`. */
export type LinkTarget = {
  readonly kind: Exclude<EntryKind, 'link'> | 'missing'
  readonly sizeBytes: number
  readonly modifiedMs: number
  readonly mode: number
}

/** True for a folder, and for a link to a folder. */
export const isFolder = (entry: Entry): boolean => (entry.target?.kind ?? entry.kind) === 'folder'

const goDirectory = 2147483648
const goLink = 134217728
const special: Readonly<Record<number, number>> = {
  0o010000: 33554432,
  0o020000: 67108864 + 2097152,
  0o060000: 67108864,
  0o140000: 16777216,
}

/** Converts `st_mode` to Go's file mode, an unsigned 32-bit integer, which the API sends (contract 1.9). */
export function wireMode(mode: number): number {
  const type = mode & 0o170000
  const kind = type === 0o040000 ? goDirectory : type === 0o120000 ? goLink : (special[type] ?? 0)
  const bits =
    ((mode & 0o4000) === 0 ? 0 : 8388608) +
    ((mode & 0o2000) === 0 ? 0 : 4194304) +
    ((mode & 0o1000) === 0 ? 0 : 1048576)
  return kind + bits + (mode & 0o777)
}
