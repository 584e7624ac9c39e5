import { expect, test } from 'vitest'
import { readTestFont, woffOf } from '../../../../../test/kit/fonts.ts'
import { charactersOf } from './font-characters.ts'

const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

/** Makes a TrueType file that has only a table of characters, with ranges of code points in format 12. */
function fontWithRanges(ranges: readonly (readonly [first: number, last: number])[]): ArrayBuffer {
  const font = new DataView(new ArrayBuffer(28 + 12 + 16 + ranges.length * 12))
  font.setUint32(0, 0x0001_0000)
  font.setUint16(4, 1)
  font.setUint32(12, 0x636d6170)
  font.setUint32(20, 28)
  font.setUint32(24, font.byteLength - 28)
  font.setUint16(30, 1)
  font.setUint32(36, 12)
  font.setUint16(40, 12)
  font.setUint32(52, ranges.length)
  for (const [index, [first, last]] of ranges.entries()) {
    font.setUint32(56 + index * 12, first)
    font.setUint32(60 + index * 12, last)
  }
  return font.buffer
}

test('the characters of a TrueType font are read, and those of the same font as WOFF', async () => {
  const bytes = readTestFont()
  const characters = await charactersOf(bufferOf(bytes))
  expect(characters?.slice(0, 5)).toEqual(['!', '"', '#', '$', '%'])
  expect(characters).toHaveLength(400)
  expect(characters).toContain('é')
  expect(await charactersOf(bufferOf(woffOf(bytes)))).toEqual(characters)
})

test('characters beyond U+FFFF and private ones are shown, spaces and unassigned ones are not', async () => {
  const font = fontWithRanges([
    [0x20, 0x21],
    [0xe000, 0xe001],
    [0x1_f600, 0x1_f600],
    [0x10_ffff, 0xffff_ffff],
  ])
  expect(await charactersOf(font)).toEqual(['!', '\ue000', '\ue001', '😀'])
})

test('a font of ranges without characters ends the search, and a character is listed once', async () => {
  const empty = Array.from({ length: 10_000 }, () => [0xd800, 0xdfff] as const)
  expect(await charactersOf(fontWithRanges([[0x41, 0x41], [0x41, 0x41], ...empty, [0x42, 0x42]]))).toEqual([
    'A',
  ])
})

test.each([
  ['nothing', new ArrayBuffer(0)],
  ['another format', bufferOf(Buffer.from('wOF2 and nothing that can be read here'))],
  ['a table that is cut', fontWithRanges([[0x41, 0x42]]).slice(0, 60)],
  ['a WOFF that is cut', bufferOf(woffOf(readTestFont()).subarray(0, 3000))],
])('%s has no known characters', async (_case, bytes) => {
  expect(await charactersOf(bytes)).toBeNull()
})
