import type { NameEncoding } from '../../../../shared/domain/name-encodings.ts'
import { isUtf8 } from 'node:buffer'
import { nameOfBytes } from '../../../../shared/domain/name-bytes.ts'
import type { NameDecoder } from '../packed/packed-file.ts'
import { strictDecoderOf } from './decode-name.ts'
import { characterWeightsOf } from './character-weights.ts'

/** Collects the names of an archive that are not UTF-8. */
export type NameSampler = {
  /** Keeps the bytes of such a name, and returns it as the storage would. */
  readonly decode: NameDecoder
  /** Returns the most probable encoding of the names so far. Null when all of them are UTF-8. */
  readonly detect: () => NameEncoding | null
}

/** The number of bytes of names that are compared with the encodings. More names do not make the result better. */
const maxSampleBytes = 32 * 1024

/** The encodings that are tried. The first one wins when two are equally probable. */
const candidates: readonly NameEncoding[] = [
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

export function createNameSampler(): NameSampler {
  const samples: Buffer[] = []
  let sampleBytes = 0
  let hasForeign = false
  return {
    decode(bytes) {
      if (isUtf8(bytes)) return nameOfBytes(bytes)
      hasForeign = true
      // The folders of a path are the same in many names, so that only the last name counts.
      const name = lastNameOf(bytes)
      if (sampleBytes < maxSampleBytes && !isAscii(name)) {
        samples.push(name)
        sampleBytes += name.length
      } else if (samples.length === 0) {
        samples.push(bytes)
      }
      return nameOfBytes(bytes)
    },
    detect: () => (hasForeign ? detectEncoding(samples) : null),
  }
}

/** Copies the last name of a path. A slash is never a part of another character in the supported encodings. */
function lastNameOf(path: Buffer): Buffer {
  const end = path.at(-1) === 0x2f ? path.length - 1 : path.length
  return Buffer.from(path.subarray(path.lastIndexOf(0x2f, end - 1) + 1, end))
}

const isAscii = (bytes: Uint8Array): boolean => bytes.every((byte) => byte < 0x80)

/** Returns the encoding in which names look most like those of people. */
export function detectEncoding(names: readonly Uint8Array[]): NameEncoding {
  let best: NameEncoding = 'windows-1252'
  let bestScore = Number.NEGATIVE_INFINITY
  for (const encoding of candidates) {
    const score = scoreOf(names, encoding)
    if (score <= bestScore) continue
    best = encoding
    bestScore = score
  }
  return best
}

/** Returns the average weight of the bytes of characters that are not ASCII. Names that are not valid exclude an encoding. */
function scoreOf(names: readonly Uint8Array[], encoding: NameEncoding): number {
  const decode = strictDecoderOf(encoding)
  const weightOf = characterWeightsOf(encoding)
  let weight = 0
  let bytes = 0
  for (const name of names) {
    const text = decode(name)
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
