import type { Bytes } from '../../../../../shared/photos/read-part.ts'

/** Decompresses PackBits (TIFF 6.0, section 9). What does not fit into the target is left out. */
export function decodePackBits(source: Bytes, target: Bytes): void {
  let at = 0
  let filled = 0
  while (at < source.length && filled < target.length) {
    const head = source[at] ?? 0
    at += 1
    if (head < 128) {
      const literal = source.subarray(at, at + head + 1)
      target.set(literal.subarray(0, target.length - filled), filled)
      filled += head + 1
      at += head + 1
    } else if (head > 128) {
      target.fill(source[at] ?? 0, filled, filled + 257 - head)
      filled += 257 - head
      at += 1
    }
  }
}
