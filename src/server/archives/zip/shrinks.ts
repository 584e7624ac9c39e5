/** Extensions whose bytes are compressed already. */
const compressed = new Set(
  `7z aac ace apk avi avif br bz2 cab crx deb docx dmg epub flac flv gif gz heic heif iso.gz jar jp2 jpeg jpg jxl lz lz4 lzma m4a
  m4v mkv mov mp3 mp4 mpeg mpg odp ods odt oga ogg ogv opus png pptx rar rpm sz tbz tgz txz war webm webp whl wma wmv woff woff2
  xlsx xpi xz zip zst`.split(/\s+/),
)

/** Below this, the head of a compressed stream costs more than it saves. */
const worthBytes = 64
/** So many first bytes tell what the rest is like. */
export const sampleBytes = 2048
/** Bits that a byte tells, of 8: text has 4 to 5, programs 6, what is compressed or encrypted nearly 8. */
const mostBitsPerByte = 7.4

/** Whether deflating a file makes sense, judged by its name and its first bytes. */
export function shrinks(name: string, sizeBytes: number, sample: Uint8Array): boolean {
  if (sizeBytes < worthBytes) return false
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return !compressed.has(extension) && bitsPerByte(sample.subarray(0, sampleBytes)) < mostBitsPerByte
}

/** What a byte value that occurs so often adds to the sum below; a logarithm for each would cost more than the counting. */
const weights = Float64Array.from({ length: sampleBytes + 1 }, (_, count) =>
  count === 0 ? 0 : count * Math.log2(count),
)
const counts = new Uint16Array(256)

/** Shannon's entropy of the bytes, of a sample at most. A short sample cannot show all 256 of them, and seems to tell less. */
function bitsPerByte(bytes: Uint8Array): number {
  counts.fill(0)
  for (let at = 0; at < bytes.length; at += 1) counts[bytes[at] ?? 0]! += 1
  let sum = 0
  for (let value = 0; value < counts.length; value += 1) sum += weights[counts[value] ?? 0] ?? 0
  return Math.log2(bytes.length) - sum / bytes.length
}
