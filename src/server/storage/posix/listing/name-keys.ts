import type { PackedNames } from '../calls/packed-names.ts'
import { nameAt } from '../calls/packed-names.ts'

/**
 * Sort keys of names: compared as bytes, they order names as `compareNames` does. Lower case; a run of digits becomes a mark, the
 * number of its digits without leading zeros, and those digits, two to a byte, so that longer numbers come later.
 */
export type NameKeys = {
  readonly bytes: Uint8Array
  /** Where each key starts; one more than there are keys. No key holds a zero byte. */
  readonly starts: Uint32Array
  /**
   * Some names may be ordered otherwise by `compareNames`: numbers beyond 64 bits, which it takes as text, and numbers that end a
   * name, where it looks at leading zeros.
   */
  readonly isUnsure: boolean
}

const zero = 48
const nine = 57
const longestSureRun = 19
/** Ranks above every UTF-8 byte, as `compareText` ranks lone surrogates (bytes of the disk that are no text). */
const strayMark = 0xfe

/** A key's bytes for a name's: lower case for letters, 0 where digits begin. */
const lower = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code >= zero && code <= nine) return 0
  return code >= 65 && code <= 90 ? code + 32 : code
})

/** A lone digit takes three bytes; what else there is takes its own length. */
const roomFor = (nameBytes: number): number => nameBytes * 3

/** Where the keys are written, and what was met while writing them. */
type Writer = {
  bytes: Uint8Array
  length: number
  endsInDigits: boolean
  hasLeadingZeros: boolean
  hasLongRun: boolean
}

export function keysOf(names: PackedNames): NameKeys {
  const { count, starts: nameStarts, bytes } = names
  const bytesOfNames = bytes.subarray(0, nameStarts[count])
  const starts = new Uint32Array(count + 1)
  const keys: Writer = {
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

type Range = { readonly from: number; readonly end: number }

function addKey(keys: Writer, source: Uint8Array, { from, end }: Range): void {
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

/** Writes the run of digits that starts here; gives where it ends. */
function addRun(keys: Writer, source: Uint8Array, { from, end }: Range): number {
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

/** A lower-cased name may be longer than the name: room is made. */
function addText(keys: Writer, name: string): void {
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
