/** What stands at a path. `link` only as the kind of the link itself; `missing` only for what a link leads to. */
export type EntryKind = 'file' | 'folder' | 'link' | 'other'

/** An entry as a storage knows it. For a link, the facts are the link's own and `target` holds those of what it leads to. */
export type Entry = {
  readonly name: string
  readonly kind: EntryKind
  readonly sizeBytes: number
  readonly modifiedMs: number
  /** POSIX `st_mode`: type and permission bits. */
  readonly mode: number
  /** Changes whenever the bytes may have changed; opaque, without quotation marks. */
  readonly etag: string
  /** Where the link leads, when that lies inside the storage's root. A link that leads outside is never an entry. */
  readonly target?: LinkTarget
}

export type LinkTarget = {
  readonly kind: Exclude<EntryKind, 'link'> | 'missing'
  readonly sizeBytes: number
  readonly modifiedMs: number
  readonly mode: number
}

/** What a reader sees: a folder, or a link that leads to one. */
export const isFolder = (entry: Entry): boolean => (entry.target?.kind ?? entry.kind) === 'folder'

const goDirectory = 2147483648
const goLink = 134217728
const special: Readonly<Record<number, number>> = {
  0o010000: 33554432,
  0o020000: 67108864 + 2097152,
  0o060000: 67108864,
  0o140000: 16777216,
}

/** `st_mode` as the wire has it: Go's file mode, an unsigned 32-bit integer (contract 1.9). */
export function wireMode(mode: number): number {
  const type = mode & 0o170000
  const kind = type === 0o040000 ? goDirectory : type === 0o120000 ? goLink : (special[type] ?? 0)
  const bits =
    ((mode & 0o4000) === 0 ? 0 : 8388608) +
    ((mode & 0o2000) === 0 ? 0 : 4194304) +
    ((mode & 0o1000) === 0 ? 0 : 1048576)
  return kind + bits + (mode & 0o777)
}
