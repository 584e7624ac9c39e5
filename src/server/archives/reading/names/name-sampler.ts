import type { NameEncoding } from '../../../../shared/domain/name-encodings.ts'
import { isUtf8 } from 'node:buffer'
import { detectNameEncoding } from '../../../../shared/domain/encodings/detect-encoding.ts'
import { nameOfBytes } from '../../../../shared/domain/name-bytes.ts'
import type { NameDecoder } from '../packed/packed-file.ts'

/** Collects the names of an archive that are not UTF-8. */
export type NameSampler = {
  /** Keeps the bytes of such a name, and returns it as the storage would. */
  readonly decode: NameDecoder
  /** Returns the most probable encoding of the names so far. Null when all of them are UTF-8. */
  readonly detect: () => NameEncoding | null
}

/** The number of bytes of names that are compared with the encodings. More names do not make the result better. */
const maxSampleBytes = 32 * 1024

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
    detect: () => (hasForeign ? detectNameEncoding(samples) : null),
  }
}

/** Copies the last name of a path. A slash is never a part of another character in the supported encodings. */
function lastNameOf(path: Buffer): Buffer {
  const end = path.at(-1) === 0x2f ? path.length - 1 : path.length
  return Buffer.from(path.subarray(path.lastIndexOf(0x2f, end - 1) + 1, end))
}

const isAscii = (bytes: Uint8Array): boolean => bytes.every((byte) => byte < 0x80)
