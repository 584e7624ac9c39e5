import { AppError } from '../../../../shared/domain/failure.ts'
import type { PackedSource } from '../packed/packed-file.ts'
import { readRange } from '../packed/read-range.ts'

/** This file finds the directory at the end of zip files (PKWARE's APPNOTE 6.3). */

export const zipSignature = {
  local: 0x04034b50,
  row: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator64: 0x07064b50,
} as const

/** The size in bytes of the record at the end, of the record for large archives, and of the record that leads to it. */
const [endBytes, end64Bytes, locatorBytes] = [22, 56, 20]
/** The longest comment at the end in bytes, and the number of foreign bytes after the archive that are tolerated. */
const maxCommentBytes = 0xffff
const maxTrailingBytes = 64 * 1024

const wrap = 2 ** 32

/** The directory of a zip file. */
export type ZipDirectory = {
  readonly start: number
  /** The position at which the records after the directory begin. */
  readonly end: number
  /** The number of bytes before the archive, such as those of a program that unpacks it. */
  readonly shift: number
  /** The number of members that the archive claims. Archives with 16-bit numbers contain only its lower 16 bits. */
  readonly count: number
  readonly is64: boolean
}

type EndRecord = {
  readonly position: number
  readonly count: number
  readonly sizeBytes: number
  readonly offset: number
  readonly is64: boolean
}

/**
 * Finds the directory. Throws `undecodable` for a file that is not a zip file, and `cut-off` for one that begins like a zip
 * file and has no directory.
 */
export async function findZipDirectory(source: PackedSource): Promise<ZipDirectory> {
  const tailStart = Math.max(0, source.sizeBytes - endBytes - maxCommentBytes - maxTrailingBytes)
  const tail = await readRange(source, tailStart, source.sizeBytes)
  for (let at = tail.length - endBytes; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== zipSignature.end) continue
    const directory = await directoryBefore(source, tail.subarray(at), tailStart + at)
    if (directory !== null) return directory
  }
  const start = await readRange(source, 0, 4)
  if (start.length === 4 && start.readUInt32LE() === zipSignature.local) throw new AppError('cut-off')
  throw new AppError('undecodable', { reason: 'this is not a zip file' })
}

/** Returns the directory that an end record describes. Null when there is no directory, so that the record is none. */
async function directoryBefore(
  source: PackedSource,
  record: Buffer,
  position: number,
): Promise<ZipDirectory | null> {
  const plain: EndRecord = {
    position,
    count: record.readUInt16LE(10),
    sizeBytes: record.readUInt32LE(12),
    offset: record.readUInt32LE(16),
    is64: false,
  }
  const end = (await largeEndBefore(source, position)) ?? plain
  const { count, is64 } = end
  if (end.sizeBytes === 0 && count === 0)
    return { start: end.position, end: end.position, shift: 0, count, is64 }
  // The directory usually ends where the end record begins. Otherwise, other records are between the two.
  for (const start of [end.position - end.sizeBytes, end.offset]) {
    if (start < 0 || (await signatureAt(source, start)) !== zipSignature.row) continue
    const difference = start - end.offset
    // Archives of more than 4 GiB by old programs contain only the lower 32 bits of their positions.
    const shift = is64 ? difference : ((difference % wrap) + wrap) % wrap
    if (shift < 0) continue
    return { start, end: end.position, shift, count, is64 }
  }
  return null
}

/** Returns the record of a large archive, to which a record directly before the end record leads. */
async function largeEndBefore(source: PackedSource, position: number): Promise<EndRecord | null> {
  const locator = await readRange(source, position - locatorBytes, position)
  if (locator.length < locatorBytes || locator.readUInt32LE() !== zipSignature.locator64) return null
  for (const at of [numberAt(locator, 8), position - locatorBytes - end64Bytes]) {
    const record = await readRange(source, at, at + end64Bytes)
    if (record.length < end64Bytes || record.readUInt32LE() !== zipSignature.end64) continue
    const [count, sizeBytes, offset] = [32, 40, 48].map((field) => numberAt(record, field))
    return { position: at, count: count ?? 0, sizeBytes: sizeBytes ?? 0, offset: offset ?? 0, is64: true }
  }
  return null
}

/** Returns the signature at a position, or 0 beyond the end. */
export async function signatureAt(source: PackedSource, position: number): Promise<number> {
  const bytes = await readRange(source, position, position + 4)
  return bytes.length < 4 ? 0 : bytes.readUInt32LE()
}

/** Reads a number of 64 bits. Numbers that are too large for a position become the largest one. */
export const numberAt = (bytes: Buffer, at: number): number =>
  Math.min(Number(bytes.readBigUInt64LE(at)), Number.MAX_SAFE_INTEGER)
