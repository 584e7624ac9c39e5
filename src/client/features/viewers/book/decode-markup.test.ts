import { expect, test } from 'vitest'
import { decodeMarkup } from './decode-markup.ts'

/** “Привет” in Windows-1251 and in KOI8-R. */
const [windows1251, koi8] = ['cff0e8e2e5f2', 'f0d2c9d7c5d4'].map((hex) => Buffer.from(hex, 'hex'))
const around = (before: string, text: Uint8Array | undefined): Uint8Array =>
  Buffer.concat([Buffer.from(before), text ?? Buffer.alloc(0), Buffer.from('</p>')])

test.each([
  ['<?xml version="1.0" encoding="windows-1251"?><p>', windows1251],
  ["<?xml version='1.0' encoding='KOI8-R'?><p>", koi8],
  ['<meta charset=koi8-r><p>', koi8],
  ['<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>', windows1251],
  ['<?xml version="1.0" encoding="no-such-encoding"?><p>', windows1251],
  ['<?xml version="1.0" encoding="windows-1251"?><p>', Buffer.from('Привет')],
])('%s declares the encoding, unless the text is UTF-8 or the encoding is unknown', async (before, text) => {
  expect(await decodeMarkup(around(before, text))).toBe(`${before}Привет</p>`)
})
