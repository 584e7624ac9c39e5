import { nameAt, type PackedNames } from '../calls/packed-names.ts'

/**
 * Sort keys of names. Comparing keys byte by byte orders the names as `compareNames` does. A key is the name in lower
 * case; each run of digits is replaced by a mark, the number of digits without leading zeros, and these digits at two
 * per byte, so that longer numbers sort later.
 */
export type NameKeys = {
  readonly bytes: Uint8Array
  /** Offset at which each key starts, followed by the end of the last key. No key contains a zero byte. */
  readonly starts: Uint32Array
  /**
   * True when `compareNames` may order some names differently than the keys. It compares numbers beyond 64 bits as
   * text, and it considers leading zeros of numbers at the end of a name.
   */
  readonly isUnsure: boolean
}

const zero = 48
const nine = 57
const longestSureRun = 19
/**
 * Mark in a key before a byte that is not valid UTF-8 (a lone surrogate in the name's string). It sorts above every
 * UTF-8 byte, as in `compareText`.
 */
const strayMark = 0xfe

/** Maps a byte of a name to the byte of its key: letters become lower case, and 0 marks a digit. */
const lower = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code >= zero && code <= nine) return 0
  return code >= 65 && code <= 90 ? code + 32 : code
})

/** Returns the largest possible length of a key. A single digit takes three bytes, every other byte takes one. */
const roomFor = (nameBytes: number): number => nameBytes * 3

/** Buffer that the keys are written to, and flags for special cases that occurred while writing. */
type KeyWriter = {
  bytes: Uint8Array
  length: number
  endsInDigits: boolean
  hasLeadingZeros: boolean
  hasLongRun: boolean
}

/** Computes the sort keys of all names of a folder. */
export function keysOf(names: PackedNames): NameKeys {
  const { count, starts: nameStarts, bytes } = names
  const bytesOfNames = bytes.subarray(0, nameStarts[count])
  const starts = new Uint32Array(count + 1)
  const keys: KeyWriter = {
    bytes: new Uint8Array(roomFor(bytesOfNames.length)),
    length: 0,
    endsInDigits: false,
    hasLeadingZeros: false,
    hasLongRun: false,
  }
  const isAscii = isAllAscii(bytesOfNames)
  for (let index = 0; index < count; index += 1) {
    starts[index] = keys.length
    const [from, end] = [nameStarts[index] ?? 0, (nameStarts[index + 1] ?? 0) - 1]
    if (isAscii || isAllAscii(bytesOfNames.subarray(from, end))) addKey(keys, bytesOfNames, { from, end })
    else addText(keys, nameAt(names, index))
  }
  starts[count] = keys.length
  const isUnsure = keys.hasLongRun || (keys.endsInDigits && keys.hasLeadingZeros)
  return { bytes: keys.bytes.subarray(0, keys.length), starts, isUnsure }
}

function isAllAscii(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += 1) if ((bytes[at] as number) >= 0x80) return false
  return true
}

type ByteSpan = { readonly from: number; readonly end: number }

function addKey(keys: KeyWriter, source: Uint8Array, { from, end }: ByteSpan): void {
  const { bytes } = keys
  let length = keys.length
  for (let at = from; at < end; at += 1) {
    const byte = lower[source[at] as number] as number
    if (byte === 0) {
      keys.length = length
      at = addRun(keys, source, { from: at, end }) - 1
      length = keys.length
    } else {
      bytes[length] = byte
      length += 1
    }
  }
  keys.length = length
}

/** Writes the run of digits that starts at `from`. Returns the offset where the run ends. */
function addRun(keys: KeyWriter, source: Uint8Array, { from, end }: ByteSpan): number {
  let at = from
  while (at < end && source[at] === zero) at += 1
  let after = at
  while (after < end && lower[source[after] as number] === 0) after += 1
  const digits = after - at
  if (after - from > digits && after - from > 1) keys.hasLeadingZeros = true
  if (digits > longestSureRun) keys.hasLongRun = true
  if (after === end) keys.endsInDigits = true
  const { bytes } = keys
  bytes[keys.length] = zero
  bytes[keys.length + 1] = Math.min(digits + 1, 255)
  keys.length += 2
  if (digits % 2 === 1) {
    bytes[keys.length] = digitAt(source, at) + 1
    keys.length += 1
    at += 1
  }
  for (; at < after; at += 2) {
    bytes[keys.length] = digitAt(source, at) * 10 + digitAt(source, at + 1) + 1
    keys.length += 1
  }
  return after
}

const digitAt = (source: Uint8Array, at: number): number => (source[at] as number) - zero

/**
 * Writes the key of a name that is not pure ASCII. Its lower-case form may be longer than the name, so the buffer grows
 * when needed.
 */
function addText(keys: KeyWriter, name: string): void {
  const text = bytesOfText(name.toLowerCase())
  const needed = keys.length + roomFor(text.length)
  if (needed > keys.bytes.length) {
    const larger = new Uint8Array(needed * 2)
    larger.set(keys.bytes.subarray(0, keys.length))
    keys.bytes = larger
  }
  addKey(keys, text, { from: 0, end: text.length })
}

function bytesOfText(text: string): Uint8Array {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8')
  const parts = Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0
    const isStray = code >= 0xd800 && code <= 0xdfff
    return isStray ? Buffer.from([strayMark, code & 0xff]) : Buffer.from(character, 'utf8')
  })
  return Buffer.concat(parts)
}
