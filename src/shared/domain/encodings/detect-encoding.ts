import type { NameEncoding } from '../name-encodings.ts'
import { characterWeightsOf, type OldEncoding } from './character-weights.ts'
import { strictDecoderOf } from './strict-decoder.ts'

/** The encodings that are tried for names in archives. The first one wins when two are equally probable. */
const nameCandidates: readonly NameEncoding[] = [
  'windows-1252',
  'shift_jis',
  'gb18030',
  'euc-kr',
  'big5',
  'euc-jp',
  'windows-1251',
  'ibm866',
  'koi8-r',
  'cp850',
  'cp437',
  'windows-1250',
]

/** The encodings that are tried for whole texts. Those that `TextDecoder` does not know are left out. */
const textCandidates: readonly OldEncoding[] = [
  ...nameCandidates.filter((encoding) => encoding !== 'cp850' && encoding !== 'cp437'),
  'koi8-u',
  'iso-8859-2',
  'iso-8859-5',
]

/** A name or a line, and true when it may end inside of a character. */
type SampleLine = { readonly bytes: Uint8Array; readonly isCut: boolean }

/** Returns the encoding in which names or lines look most like those of people. */
function mostProbable<T extends OldEncoding>(
  lines: readonly SampleLine[],
  candidates: readonly T[],
): T | 'windows-1252' {
  let best: T | 'windows-1252' = 'windows-1252'
  let bestScore = Number.NEGATIVE_INFINITY
  for (const encoding of candidates) {
    const score = scoreOf(lines, encoding)
    if (score <= bestScore) continue
    best = encoding
    bestScore = score
  }
  return best
}

/** Returns the encoding in which names in an archive look most like those of people. */
export const detectNameEncoding = (names: readonly Uint8Array[]): NameEncoding =>
  mostProbable(
    names.map((bytes) => ({ bytes, isCut: false })),
    nameCandidates,
  )

/** The number of bytes of a text that are compared with the encodings. More text does not make the result better. */
const maxSampleBytes = 32 * 1024

/**
 * Returns the encoding in which the first lines of a text that are not ASCII look most like text of people. Without a list of
 * candidates, `TextDecoder` knows the encoding.
 */
export function detectTextEncoding(
  bytes: Uint8Array,
  candidates: readonly OldEncoding[] = textCandidates,
): OldEncoding {
  const lines: SampleLine[] = []
  let sampleBytes = 0
  for (let start = 0; start < bytes.length && sampleBytes < maxSampleBytes;) {
    const newline = bytes.indexOf(0x0a, start)
    // The last line may be cut inside a character, so it only counts when there is no other.
    const end = newline === -1 ? bytes.length : newline
    const line = bytes.subarray(start, Math.min(end, start + maxSampleBytes))
    if (line.some((byte) => byte >= 0x80) && (newline !== -1 || lines.length === 0)) {
      lines.push({ bytes: line, isCut: newline === -1 || start + line.length < end })
      sampleBytes += line.length
    }
    start = end + 1
  }
  return mostProbable(lines, candidates)
}

/** The largest number of bytes of a character that is cut off, in GB 18030. */
const maxCutBytes = 3

/** Decodes a line that may end inside of a character. */
function decodeCut(bytes: Uint8Array, decode: (bytes: Uint8Array) => string | null): string | null {
  for (let count = 1; count <= maxCutBytes; count += 1) {
    const text = decode(bytes.subarray(0, -count))
    if (text !== null) return text
  }
  return null
}

/** Returns the average weight of the bytes of characters that are not ASCII. Lines that are not valid exclude an encoding. */
function scoreOf(lines: readonly SampleLine[], encoding: OldEncoding): number {
  const decode = strictDecoderOf(encoding)
  const weightOf = characterWeightsOf(encoding)
  let weight = 0
  let bytes = 0
  for (const line of lines) {
    const text = decode(line.bytes) ?? (line.isCut ? decodeCut(line.bytes, decode) : null)
    if (text === null) return Number.NEGATIVE_INFINITY
    const characters = Array.from(text)
    for (const [index, character] of characters.entries()) {
      if ((character.codePointAt(0) ?? 0) < 0x80) continue
      const context = { before: characters[index - 1] ?? '', after: characters[index + 1] ?? '' }
      const width = isWide(character) ? 2 : 1
      weight += weightOf(character, context) * width
      bytes += width
    }
  }
  return bytes === 0 ? Number.NEGATIVE_INFINITY : weight / bytes
}

/** Returns true for a character that takes two bytes in the encodings of East Asia. */
const isWide = (character: string): boolean => {
  const code = character.codePointAt(0) ?? 0
  return code >= 0x2e80 && !(code >= 0xff61 && code <= 0xff9f)
}
