import type { FlushEach } from './flush-each.ts'
import type { PackedNames, Packer } from './packed-names.ts'

/** What the kernel says of one entry. Times in whole nanoseconds, so that versions can be told apart. */
export type Facts = {
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

/** Where an entry is, for the kernel: an open folder and a name in it. */
export type Seat = { readonly folder: number; readonly name: string }

/** Facts of the entries of a folder, by their index in its names; `modes` is 0 for one that has gone. */
export type StatColumns = {
  readonly modes: Uint32Array
  readonly sizesBytes: Float64Array
  readonly modifiedMs: Float64Array
}

/**
 * The calls that Node does not offer, or not safely. All block, so they are made in worker threads only. They throw errors with
 * the system's `code` (ENOENT…). Two make them: `system-calls.ts` asks the kernel, `node-calls.ts` walks with Node's own.
 */
export type Calls = {
  readonly kind: 'kernel' | 'walk'
  /** Opens an entry below a folder as a mere handle (O_PATH), crossing no link; a link at the end is opened itself. ELOOP: a link. */
  openPlain(folder: number, names: readonly string[]): number
  /** The same, links followed as long as they stay below the folder; null when the step-by-step walk must decide. */
  openFollowing(folder: number, names: readonly string[]): number | null
  /** Opens for reading what should be a file: crosses no link, waits for nothing. Whoever calls it looks at what was opened. */
  openFile(seat: Seat): number
  /** Opens a folder for reading; crosses no link. */
  openFolder(seat: Seat): number
  facts(descriptor: number): Facts
  factsAt(seat: Seat): Facts
  /** The same, or null where nothing stands: no error is made for what is often so. */
  lookAt(seat: Seat): Facts | null
  /** Tells two mounts of one file system apart, which device and inode do not. */
  mountId(descriptor: number): string
  /**
   * All names in a folder that was opened for reading, without `.` and `..`. They may be put into a packer that was used before,
   * and take the place of what it held.
   */
  readNames(folder: number, into?: Packer): PackedNames
  /** Fills in the facts of the entries with these indices; links are not followed. */
  statEntries(from: { folder: number; names: PackedNames; indices: Uint32Array }, into: StatColumns): void
  /** Renames; EEXIST when the new name is taken, whatever by. */
  moveNew(from: Seat, to: Seat): void
  /** Gives a file without a name one in a folder; EEXIST when that is taken, whatever by. Null where it cannot be done. */
  readonly nameNew: ((file: number, to: Seat) => void) | null
  /** Has the kernel begin to write a file out, where it can, and promises nothing. */
  beginFlush(file: number): void
  /** Waits until the bytes of a file are written to the disk, which may hold them back still; null where that cannot be asked. */
  readonly writeOut: ((file: number) => void) | null
  /** Null where files cannot be flushed side by side. */
  readonly flushEach: FlushEach | null
  /** Flushes all of the file system that something lies on, which is no mere handle; null where that cannot be asked. */
  readonly flushDisk: ((descriptor: number) => void) | null
  /** Copies up to `mostBytes` from and to where the descriptors stand; gives the bytes copied, 0 at the end. */
  copySome(from: number, to: number, mostBytes: number): number
}
