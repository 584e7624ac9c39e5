import { expect, test } from 'vitest'
import { byteLength } from './name-bytes.ts'
import { conflictName, faultOfNewName, numberedName } from './names.ts'

test.each([
  ['x.txt', 0, 'x.txt'],
  ['x.txt', 2, 'x(2).txt'],
  ['x.tar.gz', 1, 'x.tar(1).gz'],
  ['x', 1, 'x(1)'],
  [`${'a'.repeat(251)}.txt`, 1, `${'a'.repeat(248)}(1).txt`],
  ['a'.repeat(255), 12, `${'a'.repeat(251)}(12)`],
  [`x.${'y'.repeat(253)}`, 1, `x.${'y'.repeat(250)}(1)`],
])('the free name of %j with the number %i is %j', (name, number, expected) => {
  expect(numberedName(name, number)).toBe(expected)
})

test('a long name keeps whole characters', () => {
  const name = numberedName(`${'😀'.repeat(62)}é.txt`, 1)
  expect([faultOfNewName(name), byteLength(name) <= 255, name.endsWith('(1).txt')]).toEqual([
    null,
    true,
    true,
  ])
})

test.each([
  ['x.tar.gz', 'x(1).tar.gz'],
  ['.bashrc', '.bashrc(1)'],
  ['x.txt', 'x(1).txt'],
  [`${'é'.repeat(124)}.tar.gz`, `${'é'.repeat(122)}(1).tar.gz`],
])('the name %s that the client gives to a copy keeps its kind', (name, expected) => {
  expect(conflictName(name, 1)).toBe(expected)
})
