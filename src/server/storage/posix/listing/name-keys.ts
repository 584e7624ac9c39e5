import type { PackedNames } from '../calls/packed-names.ts'
import { nameAt } from '../calls/packed-names.ts'

/**
 * Sort keys of names: compared as bytes, they order names as `compareNames` does. Lower case; a run of digits becomes a mark, its
 * length without leading zeros, and those digits, so that longer numbers come later.
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

const lower = Uint8Array.from({ length: 256 }, (_, code) => (code >= 65 && code <= 90 ? code + 32 : code))

/** A key takes at most one byte more than its name for each run of digits, and a name of n bytes has n / 2 runs. */
const roomFor = (nameBytes: number, count: number): number => Math.ceil(nameBytes * 2.5) + count

export function keysOf(names: PackedNames): NameKeys {
  const { count, starts: nameStarts } = names
  const keys = keyWriter(roomFor(nameStarts[count] ?? 0, count))
  const starts = new Uint32Array(count + 1)
  for (let index = 0; index < count; index += 1) {
    starts[index] = keys.length()
    const [from, end] = [nameStarts[index] ?? 0, (nameStarts[index + 1] ?? 0) - 1]
    if (!keys.addAscii(names.bytes, from, end)) keys.addText(nameAt(names, index))
  }
  starts[count] = keys.length()
  return { bytes: keys.finish(), starts, isUnsure: keys.isUnsure() }
}

function keyWriter(room: number) {
  let bytes = new Uint8Array(room)
  let length = 0
  let endsInDigits = false
  let hasLeadingZeros = false
  let hasLongRun = false

  /** Writes the run of digits that starts here; gives where it ends. */
  function addRun(source: Uint8Array, from: number, end: number): number {
    let at = from
    while (at < end && source[at] === zero) at += 1
    let after = at
    while (after < end && isDigit(source[after] ?? 0)) after += 1
    const size = after - at
    if (after - from > size && after - from > 1) hasLeadingZeros = true
    if (size > longestSureRun) hasLongRun = true
    if (after === end) endsInDigits = true
    bytes[length] = zero
    bytes[length + 1] = Math.min(size + 1, 255)
    length += 2
    for (; at < after; at += 1) push(source[at] ?? 0)
    return after
  }

  function push(byte: number): void {
    bytes[length] = byte
    length += 1
  }

  function addBytes(source: Uint8Array, from: number, end: number): void {
    for (let at = from; at < end;) {
      const byte = source[at] ?? 0
      if (isDigit(byte)) at = addRun(source, at, end)
      else {
        push(lower[byte] ?? 0)
        at += 1
      }
    }
  }

  return {
    length: () => length,
    isUnsure: () => hasLongRun || (endsInDigits && hasLeadingZeros),
    finish: () => bytes.subarray(0, length),
    /** False, and nothing written, when the name is more than ASCII. */
    addAscii(source: Uint8Array, from: number, end: number): boolean {
      for (let at = from; at < end; at += 1) if ((source[at] ?? 0) >= 0x80) return false
      addBytes(source, from, end)
      return true
    },
    addText(name: string): void {
      const key = bytesOfText(name.toLowerCase())
      const needed = length + key.length * 2.5 + 1
      if (needed > bytes.length) {
        const larger = new Uint8Array(Math.ceil(needed * 2))
        larger.set(bytes.subarray(0, length))
        bytes = larger
      }
      addBytes(key, 0, key.length)
    },
  }
}

const isDigit = (byte: number): boolean => byte >= zero && byte <= nine

function bytesOfText(text: string): Uint8Array {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8')
  const parts = Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0
    const isStray = code >= 0xd800 && code <= 0xdfff
    return isStray ? Buffer.from([strayMark, code & 0xff]) : Buffer.from(character, 'utf8')
  })
  return Buffer.concat(parts)
}
