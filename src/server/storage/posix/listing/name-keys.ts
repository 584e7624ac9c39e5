import { isAscii } from 'node:buffer'
import { nameAt, type PackedNames } from '../calls/packed-names.ts'

/**
 * Sort keys of names. Comparing keys byte by byte orders the names as `compareNames` does. A key is the name in lower
 * case with each run of digits replaced: first comes the character 0, then the number of digits without leading zeros,
 * then these digits, packed two per byte. Longer numbers therefore sort later.
 */
export type NameSortKeys = {
  readonly bytes: Uint8Array
  /**
   * Byte offset at which each key starts. One more value follows the last key: the end of the bytes. No key contains a
   * zero byte.
   */
  readonly starts: Uint32Array
  /**
   * True when the keys may order some names differently than `compareNames`. That function compares numbers above 64
   * bits as strings and considers leading zeros of numbers at the end of a name.
   */
  readonly isInexact: boolean
}

/** Character codes of the digits 0 and 9. */
const [zero, nine] = [48, 57]
/** Every number with at most this many digits fits into 64 bits. */
const maxExactDigits = 19
/**
 * This mark precedes each byte in a key that is not valid UTF-8, which is a lone surrogate in the name's string. It is
 * greater than every UTF-8 byte, so that such names have the same order as in `compareText`.
 */
const loneSurrogateMark = 0xfe

/** Maps each byte of an ASCII name to its byte in the key. Letters become lower case, and digits become 0. */
const keyByteOf = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code >= zero && code <= nine) return 0
  return code >= 65 && code <= 90 ? code + 32 : code
})

/** Returns the maximum length of a key in bytes. A single digit takes three bytes, and any other byte takes one. */
const maxKeyLength = (nameBytes: number): number => nameBytes * 3

/** The buffer to which keys are written, and flags from which `isInexact` is computed. */
type NameKeyWriter = {
  bytes: Uint8Array
  length: number
  endsInDigits: boolean
  hasLeadingZeros: boolean
  hasLongRun: boolean
}

/** Computes the sort keys of all names of a folder. */
export function keysOf(names: PackedNames): NameSortKeys {
  const { count, starts: nameStarts, bytes } = names
  const bytesOfNames = bytes.subarray(0, nameStarts[count])
  const starts = new Uint32Array(count + 1)
  const keys: NameKeyWriter = {
    bytes: new Uint8Array(maxKeyLength(bytesOfNames.length)),
    length: 0,
    endsInDigits: false,
    hasLeadingZeros: false,
    hasLongRun: false,
  }
  const isFolderAscii = isAscii(bytesOfNames)
  for (let index = 0; index < count; index += 1) {
    starts[index] = keys.length
    const [from, end] = [nameStarts[index] ?? 0, (nameStarts[index + 1] ?? 0) - 1]
    if (isFolderAscii || isNameAscii(bytesOfNames, from, end)) writeKey(keys, bytesOfNames, { from, end })
    else writeNonAsciiKey(keys, nameAt(names, index))
  }
  starts[count] = keys.length
  const isInexact = keys.hasLongRun || (keys.endsInDigits && keys.hasLeadingZeros)
  return { bytes: keys.bytes.subarray(0, keys.length), starts, isInexact }
}

/** Returns true when a name is ASCII. For short names, this loop is faster than a call of `isAscii`. */
function isNameAscii(bytes: Uint8Array, from: number, end: number): boolean {
  for (let offset = from; offset < end; offset += 1) if ((bytes[offset] as number) >= 0x80) return false
  return true
}

type ByteSpan = { readonly from: number; readonly end: number }

function writeKey(keys: NameKeyWriter, source: Uint8Array, { from, end }: ByteSpan): void {
  const { bytes } = keys
  let length = keys.length
  for (let offset = from; offset < end; offset += 1) {
    const byte = keyByteOf[source[offset] as number] as number
    if (byte === 0) {
      keys.length = length
      offset = writeDigitRun(keys, source, { from: offset, end }) - 1
      length = keys.length
    } else {
      bytes[length] = byte
      length += 1
    }
  }
  keys.length = length
}

/** Writes the run of digits that starts at `from`. Returns the offset where the run ends. */
function writeDigitRun(keys: NameKeyWriter, source: Uint8Array, { from, end }: ByteSpan): number {
  let offset = from
  while (offset < end && source[offset] === zero) offset += 1
  let runEnd = offset
  while (runEnd < end && keyByteOf[source[runEnd] as number] === 0) runEnd += 1
  const digits = runEnd - offset
  if (runEnd - from > digits && runEnd - from > 1) keys.hasLeadingZeros = true
  if (digits > maxExactDigits) keys.hasLongRun = true
  if (runEnd === end) keys.endsInDigits = true
  const { bytes } = keys
  bytes[keys.length] = zero
  bytes[keys.length + 1] = Math.min(digits + 1, 255)
  keys.length += 2
  if (digits % 2 === 1) {
    bytes[keys.length] = digitAt(source, offset) + 1
    keys.length += 1
    offset += 1
  }
  for (; offset < runEnd; offset += 2) {
    bytes[keys.length] = digitAt(source, offset) * 10 + digitAt(source, offset + 1) + 1
    keys.length += 1
  }
  return runEnd
}

const digitAt = (source: Uint8Array, offset: number): number => (source[offset] as number) - zero

/**
 * Writes the key of a name that is not pure ASCII. Its lower-case form may be longer than the name, so the buffer grows
 * when needed.
 */
function writeNonAsciiKey(keys: NameKeyWriter, name: string): void {
  const text = bytesOfText(name.toLowerCase())
  const needed = keys.length + maxKeyLength(text.length)
  if (needed > keys.bytes.length) {
    const larger = new Uint8Array(needed * 2)
    larger.set(keys.bytes.subarray(0, keys.length))
    keys.bytes = larger
  }
  writeKey(keys, text, { from: 0, end: text.length })
}

function bytesOfText(text: string): Uint8Array {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8')
  const parts = Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0
    const isLoneSurrogate = code >= 0xd800 && code <= 0xdfff
    return isLoneSurrogate ? Buffer.from([loneSurrogateMark, code & 0xff]) : Buffer.from(character, 'utf8')
  })
  return Buffer.concat(parts)
}
