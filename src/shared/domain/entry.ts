/**
 * The kind of an entry. `link` is the kind of the link itself; `missing` (see `LinkTarget`) only occurs for the target
 * of a link.
 */
export type EntryKind = 'file' | 'folder' | 'link' | 'other'

/**
 * An entry as a storage describes it. For a link, the members describe the link itself, and `target` describes the
 * entry that it leads to.
 */
export type Entry = {
  readonly name: string
  readonly kind: EntryKind
  readonly sizeBytes: number
  readonly modifiedMs: number
  /** POSIX `st_mode`: type and permission bits. */
  readonly mode: number
  /** Changes whenever the bytes may have changed. Opaque, without quotation marks. */
  readonly etag: string
  /**
   * The target of a link, when it lies inside the root of the storage. A link that leads outside is never listed as an
   * entry.
   */
  readonly target?: LinkTarget
}

/** The entry that a link leads to; `missing` for a broken link. */
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
