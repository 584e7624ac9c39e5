import { encodeMemberName } from '../members/member.ts'
import type { ArchiveMember } from '../members/member.ts'

/** This file writes the records of zip files (PKWARE's APPNOTE 6.3). Numbers are little-endian. */

export type ZipCompressionMethod = 'stored' | 'deflated'

/** The properties of a member that are known after its bytes have been written. */
export type ZipMemberRecord = {
  readonly method: ZipCompressionMethod
  readonly crc: number
  readonly packedBytes: number
  readonly sizeBytes: number
  /** The position of the member's local header in the file. */
  readonly offset: number
  /**
   * True when the CRC and the sizes are written after the bytes, in a data descriptor. False when they are written
   * before the bytes, in the local header.
   */
  readonly isDescribed: boolean
}

export const largestNumber32 = 0xffffffff
const largestNumber16 = 0xffff
const madeByUnix = 0x0300
const versionZip64 = 45
const versionPlain = 20
const describedFlag = 0x0008
const utf8Flag = 0x0800
const folderType = 0o040000
const fileType = 0o100000
const msdosFolder = 0x10

/** Returns true when a member of this size may need 64-bit numbers, even if compression makes it slightly larger. */
export const needsZip64 = (sizeBytes: number): boolean => sizeBytes >= 0xff000000

/**
 * Returns the local header of a member. With a data descriptor the CRC is 0, and the sizes are 0, or -1 when 64-bit
 * fields replace them.
 */
export function localHeader(member: ArchiveMember, written: Omit<ZipMemberRecord, 'offset'>): Buffer {
  const { name, flags } = encodedNameOf(member, written.isDescribed)
  const isLarge = needsZip64(written.sizeBytes)
  const { crc, packedBytes, sizeBytes } = written.isDescribed
    ? { crc: 0, packedBytes: 0, sizeBytes: 0 }
    : written
  const extra = Buffer.concat([
    isLarge ? zip64Extra([sizeBytes, packedBytes]) : emptyBuffer,
    timeExtra(member),
  ])
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(isLarge ? versionZip64 : versionPlain, 4)
  head.writeUInt16LE(flags, 6)
  head.writeUInt16LE(methodNumber(written.method), 8)
  head.writeUInt32LE(msdosTime(member.modifiedMs), 10)
  head.writeUInt32LE(crc, 14)
  head.writeUInt32LE(isLarge ? largestNumber32 : packedBytes, 18)
  head.writeUInt32LE(isLarge ? largestNumber32 : sizeBytes, 22)
  head.writeUInt16LE(name.length, 26)
  head.writeUInt16LE(extra.length, 28)
  return Buffer.concat([head, name, extra])
}

/** Returns the data descriptor, which follows the bytes of a member. */
export function dataDescriptor({ crc, packedBytes, sizeBytes }: ZipMemberRecord): Buffer {
  const isLarge = needsZip64(sizeBytes)
  const record = Buffer.alloc(isLarge ? 24 : 16)
  record.writeUInt32LE(0x08074b50, 0)
  record.writeUInt32LE(crc, 4)
  if (isLarge) {
    writeNumber64(record, packedBytes, 8)
    writeNumber64(record, sizeBytes, 16)
  } else {
    record.writeUInt32LE(packedBytes, 8)
    record.writeUInt32LE(sizeBytes, 12)
  }
  return record
}

/** Returns a member's row in the central directory at the end of the file. */
export function directoryRow(member: ArchiveMember, written: ZipMemberRecord): Buffer {
  const { name, flags } = encodedNameOf(member, written.isDescribed)
  const { crc, packedBytes, sizeBytes, offset } = written
  const isLarge = needsZip64(sizeBytes)
  const isFar = offset >= largestNumber32
  const large = [...(isLarge ? [sizeBytes, packedBytes] : []), ...(isFar ? [offset] : [])]
  const extra = Buffer.concat([large.length > 0 ? zip64Extra(large) : emptyBuffer, timeExtra(member)])
  const row = Buffer.alloc(46)
  row.writeUInt32LE(0x02014b50, 0)
  row.writeUInt16LE(madeByUnix | versionZip64, 4)
  row.writeUInt16LE(isLarge || isFar ? versionZip64 : versionPlain, 6)
  row.writeUInt16LE(flags, 8)
  row.writeUInt16LE(methodNumber(written.method), 10)
  row.writeUInt32LE(msdosTime(member.modifiedMs), 12)
  row.writeUInt32LE(crc, 16)
  row.writeUInt32LE(isLarge ? largestNumber32 : packedBytes, 20)
  row.writeUInt32LE(isLarge ? largestNumber32 : sizeBytes, 24)
  row.writeUInt16LE(name.length, 28)
  row.writeUInt16LE(extra.length, 30)
  row.writeUInt32LE(externalAttributes(member), 38)
  row.writeUInt32LE(isFar ? largestNumber32 : offset, 42)
  return Buffer.concat([row, name, extra])
}

export type CentralDirectorySize = {
  readonly rows: number
  readonly sizeBytes: number
  readonly offset: number
}

/**
 * Returns the records that end a zip file and contain the position of the central directory. The numbers have 64 bits
 * if 32 bits are not enough.
 */
export function directoryEnd({ rows, sizeBytes, offset }: CentralDirectorySize): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(rows, largestNumber16), 8)
  end.writeUInt16LE(Math.min(rows, largestNumber16), 10)
  end.writeUInt32LE(Math.min(sizeBytes, largestNumber32), 12)
  end.writeUInt32LE(Math.min(offset, largestNumber32), 16)
  if (rows < largestNumber16 && sizeBytes < largestNumber32 && offset < largestNumber32) return end
  const end64 = Buffer.alloc(56)
  end64.writeUInt32LE(0x06064b50, 0)
  writeNumber64(end64, end64.length - 12, 4)
  end64.writeUInt16LE(madeByUnix | versionZip64, 12)
  end64.writeUInt16LE(versionZip64, 14)
  writeNumber64(end64, rows, 24)
  writeNumber64(end64, rows, 32)
  writeNumber64(end64, sizeBytes, 40)
  writeNumber64(end64, offset, 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  writeNumber64(locator, offset + sizeBytes, 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([end64, locator, end])
}

const emptyBuffer = Buffer.alloc(0)

const methodNumber = (method: ZipCompressionMethod): number => (method === 'deflated' ? 8 : 0)

/**
 * Encodes a member's name. The bytes of a name that is not UTF-8 are written unchanged, without the flag that declares
 * UTF-8.
 */
function encodedNameOf(
  member: ArchiveMember,
  isDescribed: boolean,
): { readonly name: Buffer; readonly flags: number } {
  const { bytes, isUtf8 } = encodeMemberName(member.kind === 'folder' ? `${member.name}/` : member.name)
  return { name: bytes, flags: (isDescribed ? describedFlag : 0) | (isUtf8 ? utf8Flag : 0) }
}

const externalAttributes = ({ kind, permissions }: ArchiveMember): number =>
  (((kind === 'folder' ? folderType : fileType) | permissions) * 0x10000 +
    (kind === 'folder' ? msdosFolder : 0)) >>>
  0

function zip64Extra(numbers: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + numbers.length * 8)
  extra.writeUInt16LE(0x0001, 0)
  extra.writeUInt16LE(numbers.length * 8, 2)
  for (const [index, number] of numbers.entries()) writeNumber64(extra, number, 4 + index * 8)
  return extra
}

/**
 * Returns the extra field with the modification time in seconds (UTC), or no bytes if the time does not fit in 32 bits.
 * The MS-DOS time field contains local time with a resolution of two seconds.
 */
function timeExtra({ modifiedMs }: ArchiveMember): Buffer {
  const seconds = Math.floor(modifiedMs / 1000)
  if (seconds < -0x80000000 || seconds > 0x7fffffff) return emptyBuffer
  const extra = Buffer.alloc(9)
  extra.writeUInt16LE(0x5455, 0)
  extra.writeUInt16LE(5, 2)
  extra.writeUInt8(1, 4)
  extra.writeInt32LE(seconds, 5)
  return extra
}

/** Returns a time in the MS-DOS format: local time, limited to the years 1980 to 2107. */
function msdosTime(modifiedMs: number): number {
  const at = new Date(modifiedMs)
  const year = at.getFullYear()
  if (!(year >= 1980)) return 0x00210000
  if (year > 2107) return 0xff9fbf7d
  const date = ((year - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate()
  const time = (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1)
  return date * 0x10000 + time
}

function writeNumber64(target: Buffer, number: number, at: number): void {
  target.writeBigUInt64LE(BigInt(number), at)
}
