import { describe, expect, test } from 'vitest'
import { headBytes, maxTextBytes, typeOfFile } from './file-kind.ts'
import type { FileType } from './file-types.ts'

const latin = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))
const ofHead = (head: Uint8Array): FileType => typeOfFile('some.dat', head.length, head)

test.each<[string, string, FileType]>([
  ['nothing', '', 'text'],
  ['ASCII', 'plain\r\n\ttext\f', 'text'],
  ['UTF-8', 'caf\xc3\xa9', 'text'],
  ['a short Latin-1 word', '\xe9t\xe9', 'text'],
  ['Latin-1', '\xe9t\xe9 latin', 'text'],
  ['a lone byte within', 'caf\xc3 x', 'text'],
  ['colours of a terminal in Latin-1', '\x1b[1m\xe9t\xe9\x1b[0m', 'text'],
  ['UTF-16 with a mark', '\xff\xfea\0b\0', 'text'],
  ['UTF-16 with the other mark', '\xfe\xff\0a\0b', 'text'],
  ['UTF-16 without a mark', 'a\0b\0', 'blob'],
  ['a code up to 8', 'abc\x08', 'blob'],
  ['a code up to 8 beside Latin-1', '\xe9t\xe9\x01', 'blob'],
  ['a ZIP archive', 'PK\x03\x04\x14\0', 'blob'],
  ['a PNG', '\x89PNG\r\n\x1a\n', 'image'],
  ['a PDF', '%PDF-1.7\n', 'pdf'],
])('when the name does not determine the type, the first bytes do: %s', (_case, text, type) => {
  expect(ofHead(latin(text))).toBe(type)
})

describe('control codes above 8 only count as text in valid UTF-8', () => {
  test.each<[string, string, FileType]>([
    ['ASCII', '\x0eabc\x1f', 'text'],
    ['UTF-8', '\x0ecaf\xc3\xa9', 'text'],
    ['UTF-8 whose last character lacks one byte', '\x0ecaf\xc3', 'text'],
    ['UTF-8 whose last character lacks two bytes', '\x0e100 \xe2\x82', 'text'],
    ['UTF-8 whose last character lacks three bytes', '\x0e\xf0', 'text'],
    ['Latin-1', '\x0e\xe9t\xe9 latin', 'blob'],
    ['a short Latin-1 word', '\x0e\xe9t\xe9', 'blob'],
    ['a wrong byte shortly before the end', '\x0ecaf\xc3 x', 'blob'],
    ['a last byte that begins nothing', '\x0eabc\xff', 'blob'],
    ['a byte at the end that continues nothing', '\x0eabc\x80', 'blob'],
  ])('%s', (_case, text, type) => {
    expect(ofHead(latin(text))).toBe(type)
  })

  test.each([0x0b, 0x0e, 0x1a, 0x1c, 0x1f])('%i', (code) => {
    expect(ofHead(Uint8Array.of(0xe9, code))).toBe('blob')
    expect(ofHead(Uint8Array.of(0x65, code))).toBe('text')
  })

  test.each([0x09, 0x0a, 0x0c, 0x0d, 0x1b, 0x20, 0x7f])('the code %i is text in every encoding', (code) => {
    expect(ofHead(Uint8Array.of(0xe9, code))).toBe('text')
  })
})

test('first bytes that end in the middle of a character count as UTF-8', () => {
  for (const character of ['é', '€', '😀']) {
    const bytes = Buffer.from(`\x0e${character.repeat(headBytes)}`)
    for (let end = headBytes - 4; end <= headBytes; end += 1) {
      expect([character, end, ofHead(bytes.subarray(0, end))]).toEqual([character, end, 'text'])
    }
  }
})

test.each<[string, number, FileType]>([
  ['unknown', 0, 'text'],
  ['some.dat', maxTextBytes, 'text'],
  ['some.dat', maxTextBytes + 1, 'blob'],
  ['a.ts', 1, 'text'],
  ['a.txt', maxTextBytes + 1, 'blob'],
  ['a.zip', 1, 'blob'],
  ['a.JPG', maxTextBytes + 1, 'image'],
])('without its first bytes, %s of %i bytes has the right type', (name, sizeBytes, type) => {
  expect(typeOfFile(name, sizeBytes, null)).toBe(type)
})

test.each<[string, string, FileType]>([
  ['an image', '\x89PNG\r\n\x1a\n', 'image'],
  ['a film', '\0\0\0\x20ftypisom', 'video'],
  ['a HEIC image', '\0\0\0\x1cftypheic', 'image'],
  ['an image of the general kind in HEIF', '\0\0\0\x1cftypmif1', 'image'],
  ['an AVIF image', '\0\0\0\x1cftypavif', 'image'],
  ['a song', 'fLaC\0', 'audio'],
  ['a PDF', '%PDF-1.7\n', 'pdf'],
  ['UTF-16 with a mark', '\xff\xfea\0b\0', 'blob'],
  ['plain text', 'text', 'blob'],
])(
  'for more than 10 MiB without a known extension, %s is detected by its first bytes',
  (_case, head, type) => {
    expect(typeOfFile('large', maxTextBytes + 1, latin(head))).toBe(type)
  },
)

/** Returns the first bytes of a file, in the given length, with the sync byte of a packet at the given positions. */
const withSyncBytes = (length: number, ...positions: readonly number[]): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => (positions.includes(at) ? 0x47 : 0x61))

test.each<[string, Uint8Array, FileType]>([
  ['a.ts', new Uint8Array(), 'text'],
  ['a.mts', new Uint8Array(), 'text'],
  ['a.ts', latin('G'), 'text'],
  ['a.ts', latin('Go(1)\n'), 'text'],
  ['a.ts', withSyncBytes(188, 0), 'text'],
  ['a.m2ts', latin('abcdG'), 'text'],
  ['a.m2ts', withSyncBytes(196, 4), 'text'],
  ['a.ts', withSyncBytes(512, 0, 188), 'text'],
  ['a.ts', withSyncBytes(376, 0, 188), 'video'],
  ['a.TS', withSyncBytes(512, 0, 188, 376), 'video'],
  ['a.m2ts', withSyncBytes(384, 4, 196), 'video'],
  ['a.mts', withSyncBytes(512, 4, 196, 388), 'video'],
  ['a.dat', withSyncBytes(512, 0, 188, 376), 'text'],
])('%s is a video only when at least two packets are found (%#)', (name, head, type) => {
  expect(typeOfFile(name, head.length, head)).toBe(type)
  expect(typeOfFile(name, maxTextBytes + 1, head)).toBe(type === 'text' ? 'blob' : type)
})
