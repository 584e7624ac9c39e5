import type { FileStat } from './file-stat.ts'
import type { PackedNames, NamePacker } from './packed-names.ts'

/**
 * Location of an entry in the form that system calls use: the descriptor of an open folder and a name in that folder.
 */
export type EntryLocation = { readonly folder: number; readonly name: string }

/** A range of a file in bytes. The end is exclusive. */
export type DataRange = { readonly start: number; readonly end: number }

/**
 * Metadata of all entries in a folder, in one array for each attribute. The arrays have the order of the folder's
 * packed names. The mode is 0 for an entry that no longer exists, and `unreachableMode` for an entry whose metadata cannot be
 * read.
 */
export type StatColumns = {
  readonly modes: Uint32Array
  readonly sizesBytes: Float64Array
  readonly modifiedMs: Float64Array
  /** One number, which is not 0 after the metadata of a file with several names (hard links) was read. */
  readonly linkedFiles: Uint32Array
}

/** The mode of an entry in `StatColumns` whose metadata cannot be read. No entry has it, because the file type is missing. */
export const unreachableMode = 1

/** Flushes files with the kernel's asynchronous calls. */
export type ConcurrentFlusher = {
  /**
   * Flushes files concurrently. Returns one element for each file, in the same order: an error, or null for a flushed
   * file.
   */
  flush(files: readonly number[]): readonly (Error | null)[]
  /**
   * Frees the AIO context. Otherwise, the kernel would keep it until the process ends, even after the thread has ended.
   */
  release(): void
}

/**
 * File system calls that Node does not offer, or does not offer safely. All of them block, so only worker threads make
 * them. They throw errors with the system's `code` (ENOENT…). There are two implementations: `kernel-calls.ts` calls
 * the kernel directly, and `node-calls.ts` resolves paths name by name with Node's own calls.
 */
export type FileSystemCalls = {
  readonly kind: 'kernel' | 'walk'
  /**
   * Opens an entry below a folder as an O_PATH handle without following links. When the last name is a link, the handle
   * refers to the link. Throws ELOOP when any other name in the path is a link.
   */
  openNoFollow(folder: number, names: readonly string[]): number
  /**
   * Opens an entry below a folder as an O_PATH handle and follows links as long as they stay below the folder. Returns
   * null when the caller must resolve the path name by name instead.
   */
  openFollowing(folder: number, names: readonly string[]): number | null
  /**
   * Opens an entry that is expected to be a file, for reading. The call follows no link and does not block on pipes.
   * The caller must check the kind of the opened entry.
   */
  openFile(location: EntryLocation): number
  /** Opens a folder for reading without following a link. */
  openFolder(location: EntryLocation): number
  stat(descriptor: number): FileStat
  /** Returns the metadata of an entry without following a link. */
  statAt(location: EntryLocation): FileStat
  /**
   * Like `statAt`, but returns null when no entry has the name. Missing names are frequent, and creating an error
   * object for each of them would be expensive.
   */
  statIfExists(location: EntryLocation): FileStat | null
  /**
   * Returns the id of the mount that contains an open entry. Device and inode number do not identify the mount, because
   * they are the same in all mounts of a file system.
   */
  mountId(descriptor: number): string
  /**
   * Returns all names in a folder that is open for reading, without `.` and `..`. When the caller passes a packer from
   * an earlier call, its memory is reused and its names are overwritten.
   */
  readNames(folder: number, into?: NamePacker): PackedNames
  /** Reads the metadata of the entries at the given indices into the columns, without following links. */
  statEntries(from: { folder: number; names: PackedNames; indices: Uint32Array }, into: StatColumns): void
  /** Renames an entry. Throws EEXIST when an entry with the new name exists. */
  renameNoReplace(from: EntryLocation, to: EntryLocation): void
  /**
   * Exchanges the names of two entries in one step. Throws ENOENT when one of them does not exist. The property is null
   * when this call is not available.
   */
  readonly exchange: ((one: EntryLocation, other: EntryLocation) => void) | null
  /**
   * Gives a name to a file that was created without one. Throws EEXIST when an entry with that name exists. The
   * property is null when the kernel does not support this call.
   */
  readonly linkUnnamed: ((file: number, to: EntryLocation) => void) | null
  /**
   * Makes the kernel start to write a file's dirty pages to the disk, if the kernel supports that. The call returns at
   * once and gives no guarantee.
   */
  startWriteback(file: number): void
  /**
   * Waits until the kernel has written a file's dirty pages to the disk. The data may still be in the disk's volatile
   * cache. The property is null when this call is not available.
   */
  readonly writeBack: ((file: number) => void) | null
  /** Flushes several files concurrently. The property is null when the kernel does not support asynchronous flushes. */
  readonly concurrentFlusher: ConcurrentFlusher | null
  /**
   * Flushes the whole file system that contains an open entry. O_PATH handles are not accepted. The property is null
   * when this call is not available.
   */
  readonly flushFileSystem: ((descriptor: number) => void) | null
  /**
   * Finds the next range of a file that contains data, at or after an offset in bytes. Returns null when only a hole, or
   * nothing, is left. The property is null when this call is not available.
   */
  readonly dataAfter: ((file: number, atBytes: number) => DataRange | null) | null
  /** Sets the offset of a descriptor in bytes. The property is null when this call is not available. */
  readonly seek: ((file: number, atBytes: number) => void) | null
  /**
   * Copies the extended attributes of an entry, to which an access control list belongs, to another one. Returns false when
   * one of them could not be copied. Handles are accepted. Without a way to read attributes, it does nothing and returns
   * true.
   */
  copyAttributes(from: number, to: number): boolean
  /**
   * Copies up to `maxBytes` bytes between the current offsets of two descriptors. Returns the number of bytes copied,
   * which is 0 at the end of the source.
   */
  copyChunk(from: number, to: number, maxBytes: number): number
}
