import { AppError } from '../../../../shared/domain/failure.ts'
import { tarBlockBytes } from '../../tar/tar-header.ts'

/** The headers of a member in a tar file, as the block contains them. */
export type TarHeader = {
  readonly name: Buffer
  readonly linkName: Buffer
  readonly type: string
  /** The number of bytes that follow the header. */
  readonly sizeBytes: number
  /** The time in seconds since 1970. */
  readonly modifiedSeconds: number
  readonly mode: number
  /** The whole block, which contains the map of a sparse file of GNU tar. */
  readonly block: Buffer
}

const slash = Buffer.from('/')
const blank = 0x20

export function parseTarHeader(block: Buffer): TarHeader {
  const name = textField(block, 0, 100)
  // Only POSIX headers have a prefix. GNU tar keeps other fields there.
  const prefix = block.toString('latin1', 257, 263) === 'ustar\0' ? textField(block, 345, 155) : null
  return {
    name: prefix === null || prefix.length === 0 ? name : Buffer.concat([prefix, slash, name]),
    linkName: textField(block, 157, 100),
    type: String.fromCharCode(block[156] ?? 0),
    sizeBytes: tarSizeOf(numberField(block, 124, 12)),
    modifiedSeconds: numberField(block, 136, 12),
    mode: numberField(block, 100, 8),
    block,
  }
}

/** Returns true for a block whose checksum is the sum of all bytes, with blanks in the place of the checksum. */
export function hasRightChecksum(block: Buffer): boolean {
  if (block.length < tarBlockBytes) return false
  let sum = 0
  let signedSum = 0
  for (let at = 0; at < tarBlockBytes; at += 1) {
    const byte = at >= 148 && at < 156 ? blank : (block[at] ?? 0)
    sum += byte
    // Some old programs added the bytes as signed numbers.
    signedSum += byte > 0x7f ? byte - 0x100 : byte
  }
  const expected = numberField(block, 148, 8)
  return sum === expected || signedSum === expected
}

function textField(block: Buffer, at: number, length: number): Buffer {
  const field = block.subarray(at, at + length)
  const end = field.indexOf(0)
  return Buffer.from(end === -1 ? field : field.subarray(0, end))
}

/**
 * Parses octal digits, or the binary form of GNU tar: the first bit is set, and the other bits are a signed number in two's
 * complement.
 */
export function numberField(block: Buffer, at: number, length: number): number {
  const first = block[at] ?? 0
  if (first >= 0x80) {
    const digits = BigInt(`0x${block.toString('hex', at, at + length)}`)
    return Number(BigInt.asIntN(length * 8 - 1, digits))
  }
  const digits = /[0-7]+/.exec(block.toString('latin1', at, at + length))
  return digits === null ? 0 : Number.parseInt(digits[0], 8)
}

/** Throws `undecodable` for a number that cannot be a size in bytes. */
export function tarSizeOf(number: number): number {
  if (!Number.isSafeInteger(number) || number < 0)
    throw new AppError('undecodable', { reason: 'a size is wrong' })
  return number
}

/** Returns the number of bytes that fill up the last block of a file. */
export const tarPaddingOf = (sizeBytes: number): number =>
  (tarBlockBytes - (sizeBytes % tarBlockBytes)) % tarBlockBytes
