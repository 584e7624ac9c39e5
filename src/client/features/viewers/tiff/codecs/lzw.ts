import type { Bytes } from '../../../../../shared/photos/read-part.ts'

const clearCode = 256
const endCode = 257
const maxCodes = 4096

/**
 * Decompresses LZW as TIFF stores it (TIFF 6.0, section 13). Damaged content ends early, and the rest of the target stays
 * as it is.
 */
export function decodeLzw(source: Bytes, target: Bytes): void {
  const prefixes = new Uint16Array(maxCodes)
  const lengths = new Uint16Array(maxCodes)
  const lastBytes = new Uint8Array(maxCodes)
  for (let code = 0; code < 256; code += 1) {
    lengths[code] = 1
    lastBytes[code] = code
  }
  let known = endCode + 1
  let codeBits = 9
  let previous = -1
  let held = 0
  let heldBits = 0
  let filled = 0
  /** Writes the bytes of a code from its last one to its first one, and returns the first one. */
  const write = (code: number): number => {
    const length = lengths[code] ?? 0
    let at = filled + length
    let part = code
    while (at > filled) {
      at -= 1
      if (at < target.length) target[at] = lastBytes[part] ?? 0
      if (at > filled) part = prefixes[part] ?? 0
    }
    filled += length
    return lastBytes[part] ?? 0
  }
  for (const byte of source) {
    held = ((held << 8) | byte) & 0xff_ffff
    heldBits += 8
    if (heldBits < codeBits) continue
    heldBits -= codeBits
    const code = (held >> heldBits) & ((1 << codeBits) - 1)
    if (code === endCode || filled >= target.length) return
    if (code === clearCode) {
      known = endCode + 1
      codeBits = 9
      previous = -1
      continue
    }
    if (code > known || (previous === -1 && code >= clearCode)) return
    // A code that is not known yet stands for the previous bytes, followed by their first one.
    const isNew = code === known
    const first = write(isNew ? previous : code)
    if (isNew) {
      if (filled < target.length) target[filled] = first
      filled += 1
    }
    if (previous !== -1 && known < maxCodes) {
      prefixes[known] = previous
      lengths[known] = (lengths[previous] ?? 0) + 1
      lastBytes[known] = first
      known += 1
    }
    previous = code
    // The width of the codes grows one code early.
    if (known + 1 >= 2 ** codeBits && codeBits < 12) codeBits += 1
  }
}
