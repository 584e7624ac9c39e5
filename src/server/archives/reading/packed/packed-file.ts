import { pathLimits } from '../../../../shared/domain/name-bytes.ts'
import type { MemberFault } from '../../../../shared/contract/archives.ts'
import type { ByteReservation } from '../../../concurrency/byte-budget.ts'
import { maxModifiedMs } from '../../../../shared/domain/limits/modified-limit.ts'

/** A file, folder or other member of an archive that is read. */
export type PackedMember = {
  /**
   * The path in the archive, with `/` between names and no slash at the start or the end. Empty for the top of the
   * archive. Null for a name that is not a valid path, that leads out of the archive, or that is too long.
   */
  readonly path: string | null
  /** The name that the archive has for the member, shortened for reports. */
  readonly name: string
  readonly kind: 'file' | 'folder'
  readonly sizeBytes: number
  /** False when `sizeBytes` is an estimate, because the archive contains only the lower 32 bits of the size. */
  readonly isSizeExact: boolean
  /** The time in ms since 1970, or null when the archive contains no usable time. */
  readonly modifiedMs: number | null
  /** True for a file that its owner could execute. */
  readonly isExecutable: boolean
  /** The reason why the bytes of the member cannot be read. Null for members that can be read. */
  readonly fault: MemberFault | null
  /**
   * The path of the member whose content this member shares (a hard link). It has a fault when no earlier member has this
   * path. Null for all other members.
   */
  readonly linkTo: string | null
  /**
   * Returns the bytes of the file. May be called once, before the next member is requested. Null for folders, hard links
   * and members with a fault. The iteration throws `undecodable` when the bytes are damaged or have another length than
   * `sizeBytes`, and `cut-off` when they end too early.
   */
  readonly bytes: (() => AsyncIterable<Uint8Array>) | null
}

/** Converts the bytes of a name that the archive does not declare as UTF-8 to text. */
export type NameDecoder = (bytes: Buffer) => string

/**
 * Yields the members of an archive in their order. Throws `undecodable` for a damaged archive, and `cut-off` for one
 * whose end is missing.
 */
export type MemberReader = (
  source: PackedSource,
  decode: NameDecoder,
  bounds: ReadingBounds,
) => AsyncGenerator<PackedMember, void>

/** The bounds of one reading of an archive. */
export type ReadingBounds = {
  /** Ends the reading with `aborted`, at the latest before the next chunk. */
  readonly signal: AbortSignal
  /** Counts the facts of members that the reader keeps. They are given back when the reading ends. */
  readonly memory: ByteReservation
}

/** The bytes of an archive. Several ranges may be read, one after the other. */
export type PackedSource = {
  readonly sizeBytes: number
  readonly bytes: (range: { readonly start: number; readonly end: number }) => AsyncIterable<Uint8Array>
}

/**
 * Converts the name of a member to a path inside the archive. Null when it is absolute, when it leads out of the
 * archive, when a name in it is not a valid file name, and when the storage could not hold the path. A leading `./` is
 * dropped. Backslashes are not separators, because they are valid in names on this system; the reader of a format that
 * writes them as separators replaces them first.
 */
export function memberPath(name: string): string | null {
  if (name.length > pathLimits.pathBytes) return null
  const names = name.split('/').filter((part) => part !== '' && part !== '.')
  const isValid = names.every((part) => part !== '..' && !part.includes('\0'))
  if (names.length === 0) return ''
  return name.startsWith('/') || !isValid || names.length > pathLimits.pathSegments ? null : names.join('/')
}

/** Returns a time that a file can have. Times beyond the year 9999 and what is no number become null, the unknown time. */
export const usableTime = (modifiedMs: number | null): number | null =>
  modifiedMs !== null && Math.abs(modifiedMs) <= maxModifiedMs ? Math.floor(modifiedMs) : null

/** The number of characters of an impossible name that a report shows. */
const reportedNameLength = 255

/** Returns the name of a member for a report. A name that is no path may have any length. */
export const reportedName = (name: string): string =>
  name.length > reportedNameLength ? `${name.slice(0, reportedNameLength)}…` : name

/** The longest name of a member that is decoded, in bytes. Longer names are no paths of this system. */
export const maxMemberNameBytes = pathLimits.pathBytes
