import { unmarkedUtf16Of } from './unmarked-utf16.ts'

/** The encodings that the editor reads and writes, by the names of the platform's decoder. */
export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

export type LineEnding = 'LF' | 'CRLF' | 'CR'

/** How a text is stored in a file, apart from its characters. A saved text keeps this format. */
export type TextFormat = {
  readonly encoding: TextEncodingName
  /** True when the file begins with a byte order mark. */
  readonly hasMark: boolean
  readonly lineEnding: LineEnding
  /** True when the file has several kinds of line endings. It is saved with the most frequent one. */
  readonly isMixed: boolean
}

export type DecodedText = { readonly text: string; readonly format: TextFormat }

const marks: readonly (readonly [TextEncodingName, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

const separators: Readonly<Record<LineEnding, string>> = { LF: '\n', CRLF: '\r\n', CR: '\r' }

/**
 * Decodes the bytes of a text. A byte order mark decides the encoding. Without one, it is UTF-16 where the zeros of the text tell
 * that, and otherwise UTF-8. Bytes that this
 * encoding would not give back exactly are read as Windows-1252, which has a character for every byte.
 */
export function decodeText(bytes: Uint8Array<ArrayBuffer>): DecodedText {
  const [encoding, mark] =
    marks.find(([, start]) => start.every((byte, at) => bytes[at] === byte)) ??
    ([unmarkedUtf16Of(bytes) ?? 'utf-8', []] as const)
  const content = bytes.subarray(mark.length)
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(content)
  if (!isSame(bytesOfText(text, encoding), content)) {
    const read = new TextDecoder('windows-1252').decode(bytes)
    return { text: read, format: { encoding: 'windows-1252', hasMark: false, ...lineEndingOf(read) } }
  }
  return { text, format: { encoding, hasMark: mark.length > 0, ...lineEndingOf(text) } }
}

const isSame = (a: Uint8Array | { readonly unknown: string }, b: Uint8Array): boolean =>
  'length' in a && a.length === b.length && a.every((byte, at) => byte === b[at])

function lineEndingOf(text: string): Pick<TextFormat, 'lineEnding' | 'isMixed'> {
  const counts = { CRLF: 0, LF: 0, CR: 0 }
  for (const [ending] of text.matchAll(/\r\n|\n|\r/g))
    counts[ending === '\n' ? 'LF' : ending === '\r' ? 'CR' : 'CRLF'] += 1
  const used = (['LF', 'CRLF', 'CR'] as const).filter((ending) => counts[ending] > 0)
  const [most = 'LF'] = used.toSorted((a, b) => counts[b] - counts[a])
  return { lineEnding: most, isMixed: used.length > 1 }
}

/**
 * Encodes a text, whose lines are separated by `\n`, in a format. Returns the first character that the encoding does not
 * have instead, when there is one.
 */
export function encodeText(
  text: string,
  { encoding, hasMark, lineEnding }: TextFormat,
): Uint8Array<ArrayBuffer> | { readonly unknown: string } {
  const lines = lineEnding === 'LF' ? text : text.replaceAll('\n', separators[lineEnding])
  const content = bytesOfText(lines, encoding)
  if ('unknown' in content) return content
  const mark = hasMark ? (marks.find(([name]) => name === encoding)?.[1] ?? []) : []
  const bytes = new Uint8Array(mark.length + content.length)
  bytes.set(mark)
  bytes.set(content, mark.length)
  return bytes
}

function bytesOfText(text: string, encoding: TextEncodingName): Uint8Array | { readonly unknown: string } {
  switch (encoding) {
    case 'utf-8':
      return new TextEncoder().encode(text)
    case 'windows-1252':
      return bytesOfWindows1252(text)
    default: {
      const view = new DataView(new ArrayBuffer(text.length * 2))
      for (let at = 0; at < text.length; at += 1)
        view.setUint16(at * 2, text.charCodeAt(at), encoding === 'utf-16le')
      return new Uint8Array(view.buffer)
    }
  }
}

/** The platform has no encoder for Windows-1252, so its table is made with the decoder. */
function bytesOfWindows1252(text: string): Uint8Array | { readonly unknown: string } {
  const characters = new TextDecoder('windows-1252').decode(
    Uint8Array.from({ length: 256 }, (_, byte) => byte),
  )
  const byteOf = new Map(Array.from(characters, (character, byte) => [character, byte]))
  const bytes = new Uint8Array(text.length)
  let at = 0
  for (const character of text) {
    const byte = byteOf.get(character)
    if (byte === undefined) return { unknown: character }
    bytes[at] = byte
    at += 1
  }
  return bytes
}
