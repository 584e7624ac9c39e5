import { expect, test } from 'vitest'
import { parseWholePath } from './path.ts'

test.each([
  ['/hash/a/b', '/hash/a/b', false],
  ['/hash%2Fa%2Fb', '/hash/a/b', false],
  ['/hash%2fa%2f', '/hash/a', true],
  ['/hash/', '/hash', true],
  ['/', '/', true],
  ['/100%25.txt', '/100%.txt', false],
  ['/%2520', '/%20', false],
  ['/a+b', '/a+b', false],
  ['/%ff/x', '/\udcff/x', false],
])('%s is decoded once, then split', (raw, path, isFolder) => {
  expect(parseWholePath(raw)).toEqual({ path, isFolder })
})

test.each(['/a/../b', '/a%2F..%2Fb', '/%2e%2e', '/a%2F.', '/%00', '/%zz', '/%', `/${'x'.repeat(256)}`])(
  '%s is no path',
  (raw) => {
    expect(parseWholePath(raw)).toBeNull()
  },
)
