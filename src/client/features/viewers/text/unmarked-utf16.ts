/** The number of bytes at the beginning of a text that are examined, and the smallest number that tells something. */
const [minBytes, sampleBytes] = [16, 4096]

/** The part of the characters that are ASCII, from which a text without a mark counts as UTF-16. Even Chinese texts have line feeds. */
const minAsciiPart = 0.2

/** Zeros in the lower byte are rarer than in the upper byte by this factor. Some letters have one, such as the Chinese “one”. */
const minRatio = 5

/**
 * Returns the form of UTF-16 in which a text without a byte order mark is written, or null for any other text. In UTF-16, ASCII
 * characters have a zero in the upper byte, which texts in other encodings do not contain.
 */
export function unmarkedUtf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes.length < minBytes) return null
  let [even, odd] = [0, 0]
  const length = Math.min(bytes.length, sampleBytes)
  for (let at = 0; at < length; at += 1) {
    if (bytes[at] !== 0) continue
    if (at % 2 === 0) even += 1
    else odd += 1
  }
  const fewest = (length / 2) * minAsciiPart
  if (odd > fewest && odd > even * minRatio) return 'utf-16le'
  return even > fewest && even > odd * minRatio ? 'utf-16be' : null
}
