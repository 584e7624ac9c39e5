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
/** The place of the checksum in a header. */
const [checksumStart, checksumBytes] = [148, 8]

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
  // A constant of this function: Vitest calls a getter for each use of an imported one, here 512 times for each header.
  const end = tarBlockBytes
  if (block.length < end) return false
  let sum = checksumBytes * blank
  let highBytes = 0
  for (let at = 0; at < end; at += 1) {
    const byte = block[at] ?? 0
    sum += byte
    highBytes += byte >> 7
  }
  for (let at = checksumStart; at < checksumStart + checksumBytes; at += 1) {
    const byte = block[at] ?? 0
    sum -= byte
    highBytes -= byte >> 7
  }
  const expected = numberField(block, checksumStart, checksumBytes)
  // Some old programs added the bytes as signed numbers.
  return sum === expected || sum - highBytes * 0x100 === expected
}

/** Returns the text of a field, up to its first zero byte. It shares the memory of the block. */
function textField(block: Buffer, at: number, length: number): Buffer {
  const end = block.indexOf(0, at)
  return block.subarray(at, end === -1 ? at + length : Math.min(end, at + length))
}

/**
 * Parses octal digits, or the binary form of GNU tar: the first bit is set, and the other bits are a signed number in two's
 * complement. Digits may follow other characters, and end at the first one that is no digit.
 */
export function numberField(block: Buffer, start: number, length: number): number {
  const first = block[start] ?? 0
  if (first >= 0x80) {
    const digits = BigInt(`0x${block.toString('hex', start, start + length)}`)
    return Number(BigInt.asIntN(length * 8 - 1, digits))
  }
  const end = start + length
  let at = start
  while (at < end && !isOctalDigit(block[at])) at += 1
  let number = 0
  for (; at < end && isOctalDigit(block[at]); at += 1) number = number * 8 + (block[at] ?? 0) - digitZero
  return number
}

const digitZero = 0x30
const isOctalDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= digitZero && byte < digitZero + 8

/** Throws `undecodable` for a number that cannot be a size in bytes. */
export function tarSizeOf(number: number): number {
  if (!Number.isSafeInteger(number) || number < 0)
    throw new AppError('undecodable', { reason: 'a size is wrong' })
  return number
}

/** Returns the number of bytes that fill up the last block of a file. */
export const tarPaddingOf = (sizeBytes: number): number =>
  (tarBlockBytes - (sizeBytes % tarBlockBytes)) % tarBlockBytes
