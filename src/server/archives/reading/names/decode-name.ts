import { isUtf8 } from 'node:buffer'
import type { NameEncoding } from '../../../../shared/domain/name-encodings.ts'
import { strictDecoderOf } from '../../../../shared/domain/encodings/strict-decoder.ts'
import { nameOfBytes } from '../../../../shared/domain/name-bytes.ts'
import type { NameDecoder } from '../packed/packed-file.ts'

/**
 * Returns the decoder of names in an encoding. A name that is valid UTF-8 is UTF-8, unless somebody has chosen the encoding.
 * A name that is not valid in the encoding is decoded as Windows-1252, in which every byte is a character, so that
 * different names stay different.
 */
export function nameDecoderOf(
  encoding: NameEncoding,
  { isChosen }: { readonly isChosen: boolean },
): NameDecoder {
  const decode = strictDecoderOf(encoding)
  const lastResort = strictDecoderOf('windows-1252')
  return (bytes) => {
    if (!isChosen && isUtf8(bytes)) return nameOfBytes(bytes)
    return decode(bytes) ?? lastResort(bytes) ?? nameOfBytes(bytes)
  }
}
