import { expect, test } from 'vitest'
import { decodeBeginning } from './decode-beginning.ts'

const line = 'Zürich – Köln 😀\n'
const chinese = '这是一个测试文档，里面有很多中文的内容。\n'
/** The bytes of a Chinese text in GB 18030: “中文报告” and a full stop. */
const gb18030 = [0xd6, 0xd0, 0xce, 0xc4, 0xb1, 0xa8, 0xb8, 0xe6, 0xa1, 0xa3]

function utf16be(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16()
}

function utf32(text: string, isLittleEndian: boolean): Buffer {
  const view = new DataView(new ArrayBuffer(Array.from(text).length * 4))
  for (const [index, character] of Array.from(text).entries())
    view.setUint32(index * 4, character.codePointAt(0) ?? 0, isLittleEndian)
  return Buffer.from(view.buffer)
}

test.each([
  ['UTF-8', Buffer.from(line + chinese)],
  ['UTF-8 with a mark', Buffer.from(`\u{feff}${line}${chinese}`)],
  ['UTF-16 from the lower byte', Buffer.from(`\u{feff}${line}${chinese}`, 'utf16le')],
  ['UTF-16 from the upper byte', utf16be(`\u{feff}${line}${chinese}`)],
  ['UTF-32 from the lower byte', utf32(`\u{feff}${line}${chinese}`, true)],
  ['UTF-32 from the upper byte', utf32(`\u{feff}${line}${chinese}`, false)],
])('a text in %s is read readably wherever it is cut', async (_name, bytes) => {
  const whole = line + chinese
  const from = bytes.length - 40
  for (let length = from; length <= bytes.length; length += 1) {
    const shown = await decodeBeginning(bytes.subarray(0, length))
    // A character of two units may lose its second one, which the decoder then leaves out as well.
    expect(whole.startsWith(shown)).toBe(true)
    expect(shown.length).toBeGreaterThanOrEqual(whole.length - 42)
  }
  expect(await decodeBeginning(bytes)).toBe(whole)
})

test.each([
  ['GB 18030', [...gb18030, 0x0a, ...gb18030], '中文报告。\n中文报告。'],
  ['GB 18030, cut in a character', [...gb18030, 0x0a, 0xd6], '中文报告。\n'],
  ['GB 18030 with a mark', [0x84, 0x31, 0x95, 0x33, ...gb18030], '中文报告。'],
  ['Shift JIS', [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x82, 0xcc, 0x8a, 0x47], '日本語の絵'],
  ['Windows-1251', [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x2c, 0x20, 0xec, 0xe8, 0xf0], 'Привет, мир'],
  [
    'Windows-1252',
    Buffer.from('Das Gebäude ist größer, é vero?', 'latin1'),
    'Das Gebäude ist größer, é vero?',
  ],
  [
    'quotation marks of Windows',
    [...Buffer.from('It'), 0x92, ...Buffer.from('s '), 0x93, ...Buffer.from('so'), 0x94, 0x2e],
    'It’s “so”.',
  ],
])('a text in %s is recognized by its letters', async (_name, bytes, text) => {
  expect(await decodeBeginning(Uint8Array.from(bytes))).toBe(text)
})

test('UTF-16 without a byte order mark is recognized, also of texts with few ASCII characters', async () => {
  const text = (line + chinese).repeat(100)
  expect(await decodeBeginning(Buffer.from(text, 'utf16le'))).toBe(text)
  expect(await decodeBeginning(utf16be(text))).toBe(text)
  expect(await decodeBeginning(Buffer.from('a\0b\0\n'))).toBe('a\0b\0\n')
})
