import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeText, encodeText, type TextFormat } from './text-format.ts'

const utf8 = (text: string) => new Uint8Array(new TextEncoder().encode(text))
const plain: TextFormat = { encoding: 'utf-8', hasMark: false, lineEnding: 'LF', isMixed: false }
const normal = (text: string) => text.replaceAll(/\r\n|\r/g, '\n')

test.each<[string, number[], Partial<TextFormat>, string]>([
  ['UTF-8', [...utf8('é\n😀')], {}, 'é\n😀'],
  [
    'UTF-8 with a mark and CRLF',
    [0xef, 0xbb, 0xbf, ...utf8('a\r\nb')],
    { hasMark: true, lineEnding: 'CRLF' },
    'a\r\nb',
  ],
  ['old line endings', [...utf8('a\rb')], { lineEnding: 'CR' }, 'a\rb'],
  [
    'UTF-16 with a mark',
    [0xff, 0xfe, 0x61, 0x00, 0x3d, 0xd8, 0x00, 0xde],
    { encoding: 'utf-16le', hasMark: true },
    'a😀',
  ],
  ['the other UTF-16', [0xfe, 0xff, 0x00, 0x61], { encoding: 'utf-16be', hasMark: true }, 'a'],
  ['Windows-1252', [0x80, 0xe9, 0x0a, 0x81], { encoding: 'windows-1252' }, '€é\n\u0081'],
  ['an empty file', [], {}, ''],
  ['two marks', [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf, 0x61], { hasMark: true }, '\u{feff}a'],
  ['a mark before invalid UTF-8', [0xef, 0xbb, 0xbf, 0x61, 0xe9], { encoding: 'windows-1252' }, 'ï»¿aé'],
  ['UTF-16 with an odd byte', [0xff, 0xfe, 0x61, 0x00, 0x62], { encoding: 'windows-1252' }, 'ÿþa\u0000b'],
  ['half of a character in UTF-16', [0xff, 0xfe, 0x3d, 0xd8], { encoding: 'windows-1252' }, 'ÿþ=Ø'],
])('%s is read, and is written again byte by byte', (_title, bytes, format, text) => {
  const decoded = decodeText(Uint8Array.from(bytes))
  expect(decoded).toEqual({ text, format: { ...plain, ...format } })
  expect(encodeText(normal(text), decoded.format)).toEqual(Uint8Array.from(bytes))
})

test('of several line endings the most frequent one is used', () => {
  const { format } = decodeText(utf8('a\r\nb\r\nc\nd'))
  expect(format).toMatchObject({ lineEnding: 'CRLF', isMixed: true })
  expect(encodeText('a\nb', format)).toEqual(utf8('a\r\nb'))
})

test('a character that the encoding does not have is named', () => {
  expect(encodeText('a😀', { ...plain, encoding: 'windows-1252' })).toEqual({ unknown: '😀' })
})

test('every file comes back byte for byte, unless its line endings are mixed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (content) => {
      const bytes = new Uint8Array(content)
      const { text, format } = decodeText(bytes)
      fc.pre(!format.isMixed)
      expect(encodeText(normal(text), format)).toEqual(bytes)
    }),
  )
})

test('UTF-16 without a byte order mark is edited as text, and saved without one', () => {
  for (const encoding of ['utf-16le', 'utf-16be'] as const) {
    const bytes = Buffer.from('first line\r\nsecond line\r\n', 'utf16le')
    const stored = new Uint8Array(encoding === 'utf-16le' ? bytes : bytes.swap16())
    const { text, format } = decodeText(stored)
    expect([text.split('\r\n')[1], format.encoding, format.hasMark]).toEqual(['second line', encoding, false])
    expect(encodeText(text.replaceAll('\r\n', '\n'), format)).toEqual(stored)
  }
})
