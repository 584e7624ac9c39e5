import type { Bytes } from '../../../../../shared/photos/read-part.ts'

/** Reads bits from the highest one of each byte to the lowest one. After the end, all bits are 0. */
export type BitReader = {
  /** Returns the next bits, up to 16, without going beyond them. */
  readonly peek: (count: number) => number
  readonly skip: (count: number) => void
  readonly skipToByte: () => void
  readonly isAtEnd: () => boolean
}

export function createBitReader(bytes: Bytes): BitReader {
  let at = 0
  return {
    peek: (count) => {
      const byte = at >> 3
      const three = ((bytes[byte] ?? 0) << 16) | ((bytes[byte + 1] ?? 0) << 8) | (bytes[byte + 2] ?? 0)
      return (three >> (24 - (at & 7) - count)) & ((1 << count) - 1)
    },
    skip: (count) => {
      at += count
    },
    skipToByte: () => {
      at = (at + 7) & ~7
    },
    isAtEnd: () => at >= bytes.length * 8,
  }
}
