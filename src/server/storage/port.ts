import type { Entry } from '../../shared/domain/entry.ts'
import type { NameQuery } from '../../shared/domain/name-query.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { LossKind } from '../../shared/domain/losses.ts'
import type { ListingOrder } from '../../shared/domain/sorting.ts'
import type { Apply, IntendedChange, OperationOptions, UploadSession } from './change.ts'
import type { LocalDisk, LocalHandle, VolumeDisk, WatchableFolder } from './local-disk.ts'

/**
 * Options for narrowing a storage. `at` becomes the new `/`, and every path given to `permits` and `hides` is relative
 * to it. `permits` is called for each path as requested and, when it contains a symbolic link, also as resolved.
 * `hides` implements the dotfile preference. It denies a path like `permits` does, but when a tree is copied, moved or
 * deleted, the hidden entries in the tree are included.
 */
export type NarrowOptions = {
  readonly at?: Path
  readonly only?: 'read' | 'write'
  readonly permits?: (path: Path) => boolean
  readonly hides?: (path: Path) => boolean
}

/**
 * Bits of a row's value in `EntryPage.flags`. An unreachable entry exists, but its metadata cannot be read. It has no other
 * flag, the size 0 and the time 0.
 */
export const entryFlag = { folder: 1, link: 2, broken: 4, special: 8, unreachable: 16 } as const

/**
 * Consecutive rows of a folder listing, stored as columns: the values of row i are at index i of each column. The size,
 * time and mode in a link's row are those of the target or, when the link is broken, of the link itself. `types`
 * contains indices into `fileTypes` (shared/domain/file-kind).
 */
export type EntryPage = {
  readonly names: readonly string[]
  readonly flags: Uint8Array
  readonly sizesBytes: Float64Array
  readonly modifiedMs: Float64Array
  readonly modes: Uint32Array
  readonly types: Uint8Array
}

export type Listing = {
  /**
   * The folder itself, as `stat` returns it. Its etag changes when entries of the folder are added, removed or renamed.
   */
  readonly folder: Entry
  /** Number of rows in all pages. Entries that rules or the dotfile preference exclude are not counted. */
  readonly total: number
  /** Number of rows that are folders or links to folders. */
  readonly folders: number
  /** The rows in the requested order, page by page. The first page is small, so that it arrives early. */
  readonly pages: AsyncIterable<EntryPage>
  /** Missing for folders of one page. */
  readonly localDisk?: WatchableFolder
  /** The bytes that the listing keeps in memory until its pages have been read. 0 when all rows have arrived. */
  readonly heldBytes: number
  /** Ends a listing whose pages are not read. */
  readonly discard: () => Promise<void>
}

/**
 * An open file. The handle stays valid when the file is renamed or removed. Several ranges may be read, one after the
 * other. Only `close` releases the handle.
 */
export type OpenFile = {
  readonly entry: Entry
  /**
   * All bytes of a small file, which were read together with its metadata. The caller may keep the buffer. No handle is
   * open in this case.
   */
  readonly whole?: Uint8Array | undefined
  /** Missing when no handle is open. */
  readonly localDisk?: LocalHandle
  /**
   * Reads from `start` up to, but not including, `end`. A chunk is valid only until the next chunk is requested,
   * because its buffer is reused.
   */
  bytes(range: { readonly start: number; readonly end: number }): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/**
 * One item of a tree that is being read: an entry, or the next bytes of the file whose entry was sent last. When the
 * caller requested checksums, `crc` is the CRC-32 of all bytes of the file up to the end of this item.
 */
export type TreeStreamItem =
  | { readonly kind: 'entry'; readonly entry: Entry & { readonly path: Path } }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly crc?: number }

/**
 * Matches of a name search. `paths` are relative to the searched folder, without a leading slash. `folders` is true at
 * the index of each path that is a folder. `stats` is present when the search was asked to describe its matches.
 */
export type NameSearchMatches = {
  readonly paths: readonly string[]
  readonly folders: readonly boolean[]
  readonly stats?: readonly (MatchStat | null)[]
}

/**
 * The stat of a match, as a listing shows it: that of the target for a link, unless the link is broken. `flags` is a sum of
 * values of `entryFlag`. A match that has disappeared meanwhile has null instead.
 */
export type MatchStat = { readonly sizeBytes: number; readonly modifiedMs: number; readonly flags: number }

export type ChecksumAlgorithm = 'md5' | 'sha1' | 'sha256' | 'sha512'

/**
 * Total and used space of the file system that contains a folder. The storage may be a small part of that file system.
 */
export type DiskUsage = {
  readonly totalBytes: number
  readonly usedBytes: number
  /** True when a quota, and not the disk, limits `totalBytes`. */
  readonly isQuota?: boolean
}

/** Maximum size in bytes (64 KiB) of a file that a single task may read or write completely. */
export const smallFileBytes = 64 * 1024

/**
 * The files that a caller can reach: a volume or a part of one. Lists and walks omit denied entries. A call with a
 * denied path fails with `forbidden`.
 */
export type Storage = {
  /** Missing when the files are not on a disk of this machine. */
  readonly localDisk?: LocalDisk
  /**
   * Returns a storage with the same rights or fewer. Links are confined to the new root. For a shared file, `at` is the
   * parent folder of the file, and `permits` accepts only the name of the file.
   */
  narrow(options: NarrowOptions): Promise<Storage>
  stat(path: Path, options?: OperationOptions): Promise<Entry>
  /**
   * Lists a folder. With `sniffs`, a file whose extension is unknown is classified by its first bytes, which costs one
   * read for each of these files.
   */
  list(
    path: Path,
    options: OperationOptions & { readonly order: ListingOrder; readonly sniffs?: boolean },
  ): Promise<Listing>
  /**
   * Walks everything below a folder, depth first and in byte order of the names. Denied entries are omitted together
   * with everything below them. Links are not followed. `onUnreachable` is called for each folder that cannot be read,
   * and for each entry whose metadata cannot be read and which is therefore omitted. It is called after the entries before
   * it were yielded, a folder that cannot be read being the last of them, and an empty batch follows each call.
   */
  walk(
    path: Path,
    options?: OperationOptions & { readonly onUnreachable?: ((path: Path) => void) | undefined },
  ): AsyncIterable<readonly (Entry & { readonly path: Path })[]>
  /**
   * Finds matching names below a folder, depth first and in byte order, and yields them as they are found. Only folders
   * are opened. A denied folder is not in the results, but the search enters it, because rules may permit paths below
   * it. Hidden folders are not entered, and links are not followed. A missing or unreadable folder yields no names.
   * With `describes`, the metadata of each match is read as well. With `abbreviations`, the best paths that contain only the
   * letters of the query in their order are yielded after all other matches, the best one first. `onUnreachable` is called with
   * the number of further folders that exist and cannot be searched, as far as the rules permit them.
   */
  find(
    path: Path,
    options: OperationOptions & {
      readonly query: NameQuery
      readonly describes?: boolean
      readonly abbreviations?: boolean
      readonly onUnreachable?: ((count: number) => void) | undefined
    },
  ): AsyncIterable<NameSearchMatches>
  open(path: Path, options?: OperationOptions): Promise<OpenFile>
  /**
   * Yields the entries of `walk`, each file followed by exactly as many bytes as its entry announces. For a path that
   * is a file, yields that file alone. Links to files are yielded as files. Entries that cannot be opened are omitted, and
   * `onLeftOut` is called for each of them that exists. A file may grow while it is read. The call fails with
   * `changed-meanwhile` when a file changes in another way. The bytes are valid until the next
   * items are requested, because their memory is reused. The bytes of a small file arrive in one item. With `sums`, the
   * worker thread that reads the files also computes their CRC-32.
   */
  readTree(
    path: Path,
    options?: OperationOptions & {
      readonly sums?: boolean
      readonly onLeftOut?: ((kind: LossKind, path: Path) => void) | undefined
    },
  ): AsyncIterable<readonly TreeStreamItem[]>
  /** Returns the digest of a file's bytes in lower-case hexadecimal. The digest is computed off the main thread. */
  checksum(path: Path, options: OperationOptions & { readonly algorithm: ChecksumAlgorithm }): Promise<string>
  /**
   * Returns the total size in bytes of the files at and below a path, including hidden and denied entries below it. A
   * file with two names (hard links) counts twice. The server's own files do not count. With `follows`, a link to a
   * file counts as a copy of the file.
   */
  measure(path: Path, options?: OperationOptions & { readonly follows?: boolean }): Promise<number>
  /**
   * Returns the total and used space of the file system that contains a folder. For an entry that is not a folder, the
   * call fails with `not-a-folder`.
   */
  usage(path: Path, options?: OperationOptions): Promise<DiskUsage>
  /**
   * Returns the number of bytes of the upload that have been received. Fails with `not-found` after the upload was
   * committed or aborted.
   */
  received(session: UploadSession, options?: OperationOptions): Promise<number>
  /**
   * Returns true when a commit with this modification time has put an upload of this size in place, even if no client
   * received the response. The folder is then flushed again. A file that another user put in place has a different
   * modification time.
   */
  isPlaced(
    session: UploadSession,
    options: OperationOptions & { readonly sizeBytes: number; readonly modifiedMs: number },
  ): Promise<boolean>
  /** Makes a change. */
  readonly apply: Apply
  /**
   * Throws the error that a change would currently fail with, without changing anything. The change itself repeats all
   * checks, so it detects anything that happened since this call.
   */
  check(change: IntendedChange): Promise<void>
}

/**
 * A complete, unrestricted storage root. It is created from the configuration. At start-up, staged files that
 * interrupted writes left behind are deleted.
 */
export type Volume = Storage & {
  readonly localDisk?: VolumeDisk
  readonly id: string
  /** Name of the root folder on disk. File Browser shows this name for the root folder. */
  readonly name: string
  /** True when the disk of the root folder treats names that differ only in case as the same name. */
  readonly foldsCase: boolean
  /**
   * Returns the path of an entry with all links resolved, also in its last name. This is the only path to the entry that contains
   * no link. Throws `not-found` when there is no entry.
   */
  realPath(path: Path, options?: OperationOptions): Promise<Path>
  /**
   * Removes staged files that a server left behind when it ended, except those of the uploads whose tokens `keeps` returns.
   * Files of other servers that run are not touched. Returns the number of removed files.
   */
  sweep(keeps?: () => Promise<readonly string[]>): Promise<number>
  /** Removes the received bytes of the uploads with these tokens. Returns the number of uploads that existed. */
  discard(tokens: readonly string[]): Promise<number>
  close(): Promise<void>
}
