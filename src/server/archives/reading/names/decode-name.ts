import { isUtf8 } from 'node:buffer'
import type { NameEncoding } from '../../../../shared/domain/name-encodings.ts'
import { nameOfBytes } from '../../../../shared/domain/name-bytes.ts'
import type { NameDecoder } from '../packed/packed-file.ts'

/** The characters of the bytes from 0x80 on in the encodings of MS-DOS that `TextDecoder` does not know. */
const dosTables: Partial<Record<NameEncoding, string>> = {
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00A0',
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00AD±‗¾¶§÷¸°¨·¹³²■\u00A0',
}

/** Returns a function that decodes names strictly. Its result is null for bytes that are not valid in the encoding. */
export function strictDecoderOf(encoding: NameEncoding): (bytes: Uint8Array) => string | null {
  const table = dosTables[encoding]
  if (table !== undefined)
    return (bytes) =>
      Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : table[byte - 0x80])).join('')
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  return (bytes) => {
    try {
      return decoder.decode(bytes)
    } catch {
      return null
    }
  }
}

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
