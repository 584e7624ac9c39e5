import { isUtf8 } from '../../../../shared/domain/utf8.ts'
import { unmarkedUtf16Of } from './unmarked-utf16.ts'

/** The byte order marks by the encoding that they declare. The mark of UTF-32 begins with that of UTF-16, so it comes first. */
const marks: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['gb18030', [0x84, 0x31, 0x95, 0x33]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/**
 * Decodes the bytes of a text, or those at its beginning. A byte order mark decides the encoding. A text without one is UTF-16
 * where its zeros tell that, otherwise UTF-8 or, if it is not valid UTF-8, in the encoding in which it looks most like text of people. Of a character that is cut at
 * the end, nothing is returned.
 * @throws when the code that recognizes encodings cannot be loaded.
 */
export async function decodeBeginning(bytes: Uint8Array): Promise<string> {
  const [encoding, mark] = marks.find(([, start]) => start.every((byte, at) => bytes[at] === byte)) ?? [
    null,
    [],
  ]
  const content = bytes.subarray(mark.length)
  if (encoding === 'utf-32le' || encoding === 'utf-32be') return decodeUtf32(content, encoding === 'utf-32le')
  const recognized =
    encoding ?? unmarkedUtf16Of(content) ?? (isUtf8(content) ? 'utf-8' : await recognize(content))
  return new TextDecoder(recognized, { ignoreBOM: true }).decode(content, { stream: true })
}

/** The lists of letters are loaded only for such a text. */
async function recognize(content: Uint8Array): Promise<string> {
  const { detectTextEncoding } = await import('../../../../shared/domain/encodings/detect-encoding.ts')
  return detectTextEncoding(content)
}

/** The number of characters that are made by one call. Engines limit the number of arguments. */
const charactersAtOnce = 4096

function decodeUtf32(bytes: Uint8Array, isLittleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const codes = Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => {
    const code = view.getUint32(index * 4, isLittleEndian)
    return code > 0x10_ffff ? 0xfffd : code
  })
  let text = ''
  for (let start = 0; start < codes.length; start += charactersAtOnce)
    text += String.fromCodePoint(...codes.slice(start, start + charactersAtOnce))
  return text
}
