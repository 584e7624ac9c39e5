/** Extensions of file formats that are already compressed. */
const compressed = new Set(
  `7z aac ace apk avi avif br bz2 cab crx deb docx dmg epub flac flv gif gz heic heif iso.gz jar jp2 jpeg jpg jxl lz lz4 lzma m4a
  m4v mkv mov mp3 mp4 mpeg mpg odp ods odt oga ogg ogv opus png pptx rar rpm sz tbz tgz txz war webm webp whl wma wmv woff woff2
  xlsx xpi xz zip zst`.split(/\s+/),
)

/** In bytes. Smaller files do not shrink, because the head of a compressed stream outweighs what it saves. */
const worthBytes = 64
/** Number of bytes at the start of a file from which the compressibility of the rest is estimated. */
export const sampleBytes = 2048
/** Entropy limit in bits per byte: text has 4 to 5, programs about 6, compressed or encrypted content nearly 8. */
const mostBitsPerByte = 7.4

/** True when deflating a file is likely to save space, judged by its name and its first bytes. */
export function isWorthDeflating(name: string, sizeBytes: number, sample: Uint8Array): boolean {
  if (sizeBytes < worthBytes) return false
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return !compressed.has(extension) && bitsPerByte(sample.subarray(0, sampleBytes)) < mostBitsPerByte
}

/**
 * Summand of the entropy for a byte value, by its number of occurrences. A table avoids one logarithm per byte value,
 * which would cost more than the counting.
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
