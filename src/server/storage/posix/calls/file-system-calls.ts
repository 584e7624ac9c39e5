import type { FileStat } from './file-stat.ts'
import type { FlushFiles } from './flush-files.ts'
import type { PackedNames, NamePacker } from './packed-names.ts'

/** Location of an entry for the kernel: the descriptor of an open folder and a name in that folder. */
export type EntryLocation = { readonly folder: number; readonly name: string }

/**
 * Metadata of a folder's entries, by their index in the folder's names. `modes` is 0 for an entry that no longer
 * exists.
 */
export type StatColumns = {
  readonly modes: Uint32Array
  readonly sizesBytes: Float64Array
  readonly modifiedMs: Float64Array
}

/**
 * File system calls that Node does not offer, or does not offer safely. All of them block, so only worker threads make
 * them. They throw errors with the system's `code` (ENOENT…). There are two implementations: `kernel-calls.ts` calls
 * the kernel, `node-calls.ts` walks step by step with Node's own calls.
 */
export type FileSystemCalls = {
  readonly kind: 'kernel' | 'walk'
  /**
   * Opens an entry below a folder as an O_PATH handle without following links; a link in the last name is opened
   * itself. Throws ELOOP when a link lies on the way.
   */
  openNoFollow(folder: number, names: readonly string[]): number
  /**
   * Opens an entry below a folder as an O_PATH handle and follows links as long as they stay below the folder. Null
   * when the step-by-step walk must decide.
   */
  openFollowing(folder: number, names: readonly string[]): number | null
  /**
   * Opens an entry that should be a file for reading. The call follows no link and does not block on pipes; the caller
   * must check the kind of the opened entry.
   */
  openFile(location: EntryLocation): number
  /** Opens a folder for reading without following a link. */
  openFolder(location: EntryLocation): number
  stat(descriptor: number): FileStat
  /** Returns the metadata of an entry without following a link. */
  statAt(location: EntryLocation): FileStat
  /**
   * Works as `statAt`, but returns null when no entry has the name. Creating an error object would be expensive for
   * such a frequent case.
   */
  statIfExists(location: EntryLocation): FileStat | null
  /**
   * Returns the id of the mount that holds an open entry. Device and inode number cannot tell two mounts of one file
   * system apart.
   */
  mountId(descriptor: number): string
  /**
   * Returns all names in a folder that is open for reading, without `.` and `..`. A packer from an earlier call may be
   * reused; its previous names are overwritten.
   */
  readNames(folder: number, into?: NamePacker): PackedNames
  /** Fills in the metadata of the entries with these indices. Links are not followed. */
  statEntries(from: { folder: number; names: PackedNames; indices: Uint32Array }, into: StatColumns): void
  /** Renames an entry. Throws EEXIST when any entry has the new name. */
  renameNoReplace(from: EntryLocation, to: EntryLocation): void
  /**
   * Gives a name to a file that has none. Throws EEXIST when any entry has that name. The property is null where the
   * kernel cannot do it.
   */
  readonly linkUnnamed: ((file: number, to: EntryLocation) => void) | null
  /**
   * Asks the kernel to start writing a file's dirty pages to the disk, where the kernel supports it. The call
   * guarantees nothing.
   */
  startWriteback(file: number): void
  /**
   * Waits until the kernel has written a file's dirty pages to the disk. The disk may still hold them in its own cache.
   * The property is null where this call is not available.
   */
  readonly writeBack: ((file: number) => void) | null
  /** Flushes several files concurrently. The property is null where the kernel cannot do that. */
  readonly flushFiles: FlushFiles | null
  /**
   * Flushes the whole file system that holds an open entry; an O_PATH handle is not accepted. The property is null
   * where this call is not available.
   */
  readonly flushFileSystem: ((descriptor: number) => void) | null
  /**
   * Copies up to `mostBytes` bytes between the current offsets of two descriptors. Returns the number of bytes copied,
   * which is 0 at the end of the source.
   */
  copyChunk(from: number, to: number, mostBytes: number): number
}
