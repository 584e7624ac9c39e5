import { expect, test } from 'vitest'
import { acceptedEncoding } from './compression.ts'

test.each([
  [undefined, null],
  ['', null],
  ['gzip', 'gzip'],
  ['gzip, br', 'br'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['*', 'zstd'],
  ['*;q=0', null],
  ['zstd;q=0, *', 'br'],
  ['GZIP', 'gzip'],
  ['identity', null],
  ['br;q=rubbish', null],
])('for Accept-Encoding %s, the encoding %s is chosen', (header, encoding) => {
  expect(acceptedEncoding(header, ['zstd', 'br', 'gzip'])).toBe(encoding)
})
