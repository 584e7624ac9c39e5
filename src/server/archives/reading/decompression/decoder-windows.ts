/**
 * The largest memory of one decoder, in bytes. It is the usual limit for archives that anybody has packed, and the largest
 * window of zstd that other programs accept without an option.
 */
export const maxWindowBytes = 128 * 1024 * 1024

/** The number of bytes at the start of a compressed stream that the functions below need. */
export const windowHeadBytes = 64

const xzMagic = 'fd377a585a00'
const xzHeadBytes = 12
const lzma2Filter = 0x21

/**
 * Returns the size in bytes of the dictionary that the first block of an xz file declares. The largest one for a file
 * without a block that can be read, such as a file of the older lzma format.
 */
export function xzDictionaryBytes(head: Buffer): number {
  if (head.toString('hex', 0, 6) !== xzMagic || head.length < xzHeadBytes + 2) return maxWindowBytes
  const flags = head[xzHeadBytes + 1] ?? 0
  let position = xzHeadBytes + 2
  const skipNumber = (): void => {
    while (((head[position] ?? 0) & 0x80) !== 0) position += 1
    position += 1
  }
  if ((flags & 0x40) !== 0) skipNumber()
  if ((flags & 0x80) !== 0) skipNumber()
  // The last filter of a block is LZMA2. Filters before it, such as those for programs, need no memory.
  for (let filter = 0; filter <= (flags & 3); filter += 1) {
    const [id = 0, propertyBytes = 0, size = 0] = head.subarray(position, position + 3)
    if (id === lzma2Filter) return Math.min(maxWindowBytes, lzma2DictionaryBytes(size))
    position += 2 + propertyBytes
  }
  return maxWindowBytes
}

/** The size of a dictionary by the byte that declares it: 2 or 3 times a power of two. */
const lzma2DictionaryBytes = (code: number): number => (2 | (code & 1)) * 2 ** ((code >> 1) + 11)

const zstdMagic = 0xfd2f_b528
const zstdContentSizeBytes = [0, 2, 4, 8] as const
const zstdDictionaryIdBytes = [0, 1, 2, 4] as const

/** Returns the size in bytes of the window that a frame of zstd declares. 0 for a frame without data. */
export function zstdWindowBytes(head: Buffer): number {
  if (head.length < 6 || head.readUInt32LE() !== zstdMagic) return 0
  const descriptor = head[4] ?? 0
  const isSingleSegment = (descriptor & 0x20) !== 0
  if (!isSingleSegment) {
    const window = head[5] ?? 0
    const base = 2 ** (10 + (window >> 3))
    return Math.min(maxWindowBytes, base + (base / 8) * (window & 7))
  }
  // A frame of a single segment has no window: the window is its whole content.
  const sizeBytes = zstdContentSizeBytes[(descriptor >> 6) as 0 | 1 | 2 | 3] || 1
  const position = 5 + zstdDictionaryIdBytes[(descriptor & 3) as 0 | 1 | 2 | 3]
  if (head.length < position + sizeBytes) return maxWindowBytes
  const size = sizeBytes === 8 ? Number(head.readBigUInt64LE(position)) : head.readUIntLE(position, sizeBytes)
  return Math.min(maxWindowBytes, size)
}
