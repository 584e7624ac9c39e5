import { expect, test } from 'vitest'
import { unescapeOctal } from './octal-escapes.ts'

test('octal escapes are decoded, and other backslashes stay', () => {
  expect(unescapeOctal(String.raw`/mnt/my\040disk\011\134x\q`)).toBe('/mnt/my disk\t\\x\\q')
})
