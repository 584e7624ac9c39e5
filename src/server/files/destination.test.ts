import { expect, test } from 'vitest'
import { destinationOf } from './destination.ts'

test.each([
  ['encoded once more by the client', '/a%20b%25.txt', '/a b%.txt'],
  ['a plus, which stays one', '/a+b', '/a+b'],
  ['plain text of a script', '/100%.txt', '/100%.txt'],
  ['without a slash at its start', 'a/b', '/a/b'],
  ['with a slash at its end', '/a/b/', '/a/b'],
  ['encoded as a whole', '%2Fa%20b%2fc%25.txt', '/a b/c%.txt'],
  ['a question mark in a name', '/a%3Fb', '/a?b'],
])('a destination is parsed: %s', (_case, text, path) => {
  expect(destinationOf(text)).toBe(path)
})

test.each([undefined, '', '/../x', '/%2e%2e/x', '/a%2Fb', '%2F..%2Fx', '%2Fa%2F%2e%2e%2Fb', '/a%00b'])(
  'a destination %j is refused',
  (text) => {
    expect(() => destinationOf(text)).toThrow('bad-request')
  },
)
