import type { Entry } from '../../shared/domain/entry.ts'
import type { NameQuery } from '../../shared/domain/name-query.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Order } from '../../shared/domain/sorting.ts'

/** Every call may be cut short; it then rejects with `aborted` and leaves nothing half done. */
export type Op = { readonly signal?: AbortSignal | undefined }

/** Must not exist · must exist · either. */
export type Overwrite = 'create' | 'replace' | 'upsert'

/**
 * `at` becomes `/`. `permits` is asked for each path as requested and, when a link was crossed, as resolved; paths are
 * relative to `at`. `hides` (the dotfile preference) denies like `permits`, but copy, move and delete of a tree take what it
 * hides along.
 */
export type Narrow = {
  readonly at?: Path
  readonly only?: 'read' | 'write'
  readonly permits?: (path: Path) => boolean
  readonly hides?: (path: Path) => boolean
}

/** Bits of `EntryPage.flags`. */
export const flag = { folder: 1, link: 2, broken: 4, special: 8 } as const

/**
 * A run of rows of a folder, as columns (row i is `names[i]` and index i of the others). For a link the facts are its target's,
 * or its own where it is broken. `types` holds indices into `fileTypes` (shared/domain/file-kind).
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
  /** The folder itself, as `stat` tells of it; its etag changes when its entries come, go or are renamed. */
  readonly folder: Entry
  /** Rows that will come, after rules and hidden names. */
  readonly total: number
  /** How many of them are folders (or links to one). */
  readonly folders: number
  /** In the order asked for. The first page is small, so that it comes soon. */
  readonly pages: AsyncIterable<EntryPage>
}

/** An open file: one handle, whatever happens to its name. Several ranges may be read, one after the other; only `close` ends it. */
export type OpenFile = {
  readonly entry: Entry
  /** All its bytes, where they have come with it: those of a small file. They belong to whoever asked, and nothing is open. */
  readonly whole?: Uint8Array | undefined
  /** From `start` up to, not including, `end`. A chunk is valid until the next one is asked for: its buffer is used again. */
  bytes(range: { readonly start: number; readonly end: number }): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/**
 * A piece of a tree that is read: an entry, or the next bytes of the file that was the last entry. `crc`: the CRC-32 of that file's
 * bytes up to the end of these, where it was asked for.
 */
export type TreePiece =
  | { readonly kind: 'entry'; readonly entry: Entry & { readonly path: Path } }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly crc?: number }

/** Names that a search found: paths below the searched folder, without a slash in front, and whether each is a folder. */
export type FoundNames = { readonly paths: readonly string[]; readonly folders: readonly boolean[] }

/**
 * An upload that comes in parts, one after the other. The token is all that another process needs to go on with it: plain ASCII,
 * for the server alone, never for a client.
 */
export type UploadSession = { readonly path: Path; readonly token: string }

/** A part of an upload: the bytes from here on, and how many there may be at most. */
export type UploadPart = {
  readonly offsetBytes: number
  readonly mostBytes: number
  readonly body: AsyncIterable<Uint8Array>
}

export type ChecksumAlgorithm = 'md5' | 'sha1' | 'sha256' | 'sha512'

/** A change that is meant: what `Storage.check` judges. `path` is where it comes from, for a move or a copy. */
export type Meant = { readonly path: Path } & (
  | {
      readonly kind: 'write'
      readonly overwrite: Overwrite
      /** Announced size. */
      readonly sizeBytes?: number | undefined
      readonly ifMatch?: string | undefined
      readonly parents?: boolean | undefined
    }
  | {
      readonly kind: 'makeFolder'
      readonly parents?: boolean | undefined
      readonly mayExist?: boolean | undefined
    }
  | { readonly kind: 'move' | 'copy'; readonly to: Path; readonly overwrite: 'create' | 'upsert' }
  | { readonly kind: 'remove'; readonly recursive: boolean }
)

/** The file system that holds a folder, of which the storage may be a small part. */
export type Usage = { readonly totalBytes: number; readonly usedBytes: number }

/** A folder as other programs of this machine find it. */
export type LocalFolder = {
  readonly realPath: string
  readonly dev: bigint
  readonly ino: bigint
  /** Names directly in it that are the server's own: not to be shown. */
  readonly ownNames: readonly string[]
}

/** Up to here a file that has come is taken, and put in its place, in one go. */
export const smallFileBytes = 64 * 1024

/** A file's bytes on their way. Reading begins, and the sender is told to go on, when they are first asked for. */
export type Incoming = AsyncIterable<Uint8Array> & {
  /**
   * All of them, where as many as were announced have come already; null where they have not, and then they come by iteration. Nothing
   * is waited for longer than a moment, and nothing is told to the sender.
   */
  readonly whole?: ((sizeBytes: number) => Promise<Uint8Array | null>) | undefined
}

/** What a caller holds: a volume, or a part of it. What is denied is left out of lists and walks, and `forbidden` when named. */
export type Storage = {
  /** Narrower, never wider; links are confined to the new root. A shared file: `at` its parent, `permits` its name. */
  narrow(to: Narrow): Promise<Storage>
  stat(path: Path, op?: Op): Promise<Entry>
  /** `sniffs`: names whose extension tells nothing are judged by their first bytes (costs one read each). */
  list(path: Path, op: Op & { readonly order: Order; readonly sniffs?: boolean }): Promise<Listing>
  /** Everything below, depth first, names in byte order; what is denied is left out with all below it. Links are not entered. */
  walk(path: Path, op?: Op): AsyncIterable<readonly (Entry & { readonly path: Path })[]>
  /**
   * The names below that fit, depth first, in byte order, sent as they are found; nothing but folders is opened. A denied folder is
   * left out and still entered, since what lies below is judged on its own; a hidden one is not. Links are not entered. A folder
   * that is missing or cannot be read holds nothing.
   */
  find(path: Path, op: Op & { readonly query: NameQuery }): AsyncIterable<FoundNames>
  open(path: Path, op?: Op): Promise<OpenFile>
  /**
   * What `walk` gives, each file followed by its bytes, exactly as many as it says; a path that is a file gives that file alone.
   * Links to files are given as files. What cannot be opened is left out; a file that changes while it is read is
   * `changed-meanwhile`. Bytes are valid until the next pieces are asked for: their memory is used again. A small file's come in one
   * piece. `sums` has their CRC-32 made where they are read.
   */
  readTree(path: Path, op?: Op & { readonly sums?: boolean }): AsyncIterable<readonly TreePiece[]>
  /** The digest of a file's bytes in lower-case hex, made off the main thread. */
  checksum(path: Path, op: Op & { readonly algorithm: ChecksumAlgorithm }): Promise<string>
  /** Where a folder lies, links followed; null where other programs could not name it. Nothing is narrow there any more. */
  localFolder(path: Path, op?: Op): Promise<LocalFolder | null>
  /**
   * How many bytes the files at and below a path hold together, what is hidden or denied below it too: by their names, so that a file
   * with two names counts twice. The server's own files do not count. `follows`: links to files count as copies of these.
   */
  measure(path: Path, op?: Op & { readonly follows?: boolean }): Promise<number>
  /** Of a folder; anything else is `not-a-folder`. */
  usage(path: Path, op?: Op): Promise<Usage>
  /** Staged, flushed, then put in place in one step: readers see the old bytes or the new ones. */
  write(
    path: Path,
    body: Incoming,
    op: Op & {
      readonly overwrite: Overwrite
      /** Announced size; more or fewer bytes are `truncated`, and nothing is changed. No room for it is `no-space` at once. */
      readonly sizeBytes?: number | undefined
      /** The etag that the entry must still have. */
      readonly ifMatch?: string | undefined
      /** Makes the folders above that are missing. */
      readonly parents?: boolean
      /** Told of each folder that was made for it, the topmost first, when it is there. */
      readonly onFolder?: (path: Path) => void
    },
  ): Promise<Entry>
  /** Stages an empty file for an upload in parts; all that can be refused without its bytes is refused here. */
  begin(
    path: Path,
    op: Op & {
      readonly overwrite: Overwrite
      /** Announced size. */
      readonly sizeBytes?: number | undefined
      readonly parents?: boolean
    },
  ): Promise<UploadSession>
  /** How many bytes of an upload are there. `not-found` once it was committed or aborted. */
  received(session: UploadSession, op?: Op): Promise<number>
  /**
   * Puts a part behind what is there; gives how many bytes are there then. `wrong-offset` when it does not begin where those end.
   * One with too many bytes is `too-large` and leaves nothing; one that is cut short leaves what came.
   */
  put(session: UploadSession, part: UploadPart, op?: Op): Promise<number>
  /**
   * Flushes what was put, and puts it in place in one step, changed at the time that is given, or now. Whatever is refused here
   * leaves the upload as it is.
   */
  commit(
    session: UploadSession,
    op: Op & { readonly overwrite: Overwrite; readonly modifiedMs?: number },
  ): Promise<Entry>
  /**
   * Whether a commit with this time has put an upload of this size in place, though nobody may have been told: then it is flushed once
   * more. What somebody else put there has another time.
   */
  isPlaced(
    session: UploadSession,
    op: Op & { readonly sizeBytes: number; readonly modifiedMs: number },
  ): Promise<boolean>
  /** Removes what was put. Repeatable. */
  abort(session: UploadSession, op?: Op): Promise<void>
  makeFolder(
    path: Path,
    op?: Op & { readonly parents?: boolean; readonly mayExist?: boolean },
  ): Promise<Entry>
  /** Onto an existing file with `upsert` replaces it; a folder onto a folder is `name-taken`. Missing parents are made. */
  move(from: Path, to: Path, op: Op & { readonly overwrite: 'create' | 'upsert' }): Promise<Entry>
  /**
   * As `move`; a folder onto a folder with `upsert` merges. Permission bits and times are kept. More than `mostBytes` are `no-space`,
   * counted as they are copied.
   */
  copy(
    from: Path,
    to: Path,
    op: Op & { readonly overwrite: 'create' | 'upsert'; readonly mostBytes?: number | undefined },
  ): Promise<Entry>
  /**
   * Throws what the change would be refused with as things stand, and changes nothing. The change itself is judged once more: what
   * comes between the two is not overlooked.
   */
  check(meant: Meant, op?: Op): Promise<void>
  /** A link is removed, not what it leads to. */
  remove(path: Path, op: Op & { readonly recursive: boolean }): Promise<void>
}

/** One storage root, not narrowed: what configuration makes and start-up cares for. */
export type Volume = Storage & {
  readonly id: string
  /** The real name of the root folder on disk (the original shows it as the root's name). */
  readonly name: string
  /** Whether names that differ in case alone are one to the disk, as seen in the root. */
  readonly foldsCase: boolean
  /** Where an entry is, as other programs call it: an absolute path. Null where they cannot name it, as with bytes that are no UTF-8. */
  pathOnDisk(path: Path): string | null
  /** Where a folder is, links followed: the one path that has no link in it. */
  realFolder(path: Path, op?: Op): Promise<Path>
  /** Removes staged files that a stopped server left, but for uploads with these tokens; gives their number. */
  sweep(keeps?: readonly string[]): Promise<number>
  /** Removes what was put for uploads with these tokens; gives how many there were. */
  discard(tokens: readonly string[]): Promise<number>
  close(): Promise<void>
}
