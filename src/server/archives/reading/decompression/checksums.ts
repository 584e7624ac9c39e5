/** A checksum of bytes that come in pieces. */
export type RunningChecksum = { readonly add: (bytes: Uint8Array) => void; readonly value: () => number }

const [prime1, prime2, prime3, prime4, prime5] = [
  0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d, 0x27d4_eb2f, 0x1656_67b1,
] as const
const stripeBytes = 16

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by))
const round = (lane: number, word: number): number =>
  Math.imul(rotate((lane + Math.imul(word, prime2)) | 0, 13), prime1)
const wordAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)

/** Creates a checksum xxHash32 with the seed 0, which LZ4 files contain. */
export function createXxHash32(): RunningChecksum {
  const lanes = Int32Array.of(prime1 + prime2, prime2, 0, -prime1)
  let rest: Uint8Array = new Uint8Array()
  let total = 0
  const addStripes = (bytes: Uint8Array): void => {
    let at = 0
    for (; at + stripeBytes <= bytes.length; at += stripeBytes)
      for (let lane = 0; lane < 4; lane += 1)
        lanes[lane] = round(lanes[lane] ?? 0, wordAt(bytes, at + 4 * lane))
    rest = bytes.slice(at)
  }
  return {
    add(bytes) {
      total += bytes.length
      addStripes(rest.length === 0 ? bytes : Buffer.concat([rest, bytes]))
    },
    value() {
      const [a = 0, b = 0, c = 0, d = 0] = lanes
      const start = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)
      let hash = ((total < stripeBytes ? prime5 : start) + total) | 0
      let at = 0
      for (; at + 4 <= rest.length; at += 4)
        hash = Math.imul(rotate((hash + Math.imul(wordAt(rest, at), prime3)) | 0, 17), prime4)
      for (; at < rest.length; at += 1)
        hash = Math.imul(rotate((hash + Math.imul(rest[at] ?? 0, prime5)) | 0, 11), prime1)
      hash = Math.imul(hash ^ (hash >>> 15), prime2)
      hash = Math.imul(hash ^ (hash >>> 13), prime3)
      return (hash ^ (hash >>> 16)) >>> 0
    },
  }
}

/** The polynomial of CRC-32C (Castagnoli), with its bits reversed. */
const castagnoli = 0x82f6_3b78
const crcTable = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ castagnoli : value >>> 1
  return value
})

/** Returns the CRC-32C of bytes as Snappy files contain it: rotated, with a constant added. */
export function maskedCrc32c(bytes: Uint8Array): number {
  let crc = -1
  // With signed numbers and indexes, 100 MB take 0.4 s. With unsigned ones and an iterator they took 1.6 s.
  for (let index = 0; index < bytes.length; index += 1)
    crc = (crc >>> 8) ^ (crcTable[(crc ^ (bytes[index] as number)) & 0xff] as number)
  const whole = ~crc
  return (((whole >>> 15) | (whole << 17)) + 0xa282_ead8) >>> 0
}
