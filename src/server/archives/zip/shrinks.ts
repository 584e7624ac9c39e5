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

/** Shannon's entropy of the bytes. A short sample cannot show all 256 of them, and seems to tell less. */
function bitsPerByte(bytes: Uint8Array): number {
  const counts = new Uint32Array(256)
  for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1
  let bits = 0
  for (const count of counts) if (count > 0) bits -= (count / bytes.length) * Math.log2(count / bytes.length)
  return bits
}
