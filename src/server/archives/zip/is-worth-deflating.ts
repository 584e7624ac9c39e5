/** Extensions of file formats that are already compressed. */
const compressedExtensions = new Set(
  `7z aac ace apk avi avif br bz2 cab crx deb docx dmg epub flac flv gif gz heic heif iso.gz jar jp2 jpeg jpg jxl lz lz4 lzma m4a
  m4v mkv mov mp3 mp4 mpeg mpg odp ods odt oga ogg ogv opus png pptx rar rpm sz tbz tgz txz war webm webp whl wma wmv woff woff2
  xlsx xpi xz zip zst`.split(/\s+/),
)

/**
 * Minimum size in bytes of a file that is worth deflating. In a smaller file, deflating saves fewer bytes than the
 * header of the compressed stream takes.
 */
const minDeflateBytes = 64
/** Number of bytes that are read from the start of a file to estimate how well the file compresses. */
export const sampleBytes = 2048
/**
 * Maximum entropy of a file that is worth deflating, in bits per byte. Text has 4 to 5, programs have about 6, and
 * compressed or encrypted content has nearly 8.
 */
const maxBitsPerByte = 7.4

/** Returns true when the name and the first bytes of a file indicate that deflating the file saves space. */
export function isWorthDeflating(name: string, sizeBytes: number, sample: Uint8Array): boolean {
  if (sizeBytes < minDeflateBytes) return false
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return !compressedExtensions.has(extension) && bitsPerByte(sample.subarray(0, sampleBytes)) < maxBitsPerByte
}

/**
 * Contribution of a byte value to the entropy, by the number of occurrences of the value. This table avoids a logarithm
 * per byte value, which would take longer than counting the bytes.
 */
const weights = Float64Array.from({ length: sampleBytes + 1 }, (_, count) =>
  count === 0 ? 0 : count * Math.log2(count),
)
const counts = new Uint16Array(256)

/**
 * Returns the Shannon entropy of at most `sampleBytes` bytes, in bits per byte. A short sample cannot contain all 256
 * values, so its entropy is lower.
 */
function bitsPerByte(bytes: Uint8Array): number {
  counts.fill(0)
  for (let at = 0; at < bytes.length; at += 1) counts[bytes[at] ?? 0]! += 1
  let sum = 0
  for (let value = 0; value < counts.length; value += 1) sum += weights[counts[value] ?? 0] ?? 0
  return Math.log2(bytes.length) - sum / bytes.length
}
