import { expect, test } from 'vitest'
import { createMemberNames } from './member-names.ts'

const namesOf = (...entries: readonly string[]): string[] => {
  const names = createMemberNames()
  return entries.map((entry) =>
    entry.endsWith('/') ? names(entry.slice(0, -1), 'folder') : names(entry, 'file'),
  )
}

test.each([
  ['plain names stay', ['a b', 'dir/', 'dir/ä:b'], ['a b', 'dir', 'dir/ä:b']],
  ['separators of other systems are replaced', ['a\\b', '..\\..\\x'], ['a_b', '.._.._x']],
  ['control characters are replaced', ['a\nb', 'a\x7Fb\x1B'], ['a_b', 'a_b_']],
  ['the colon of a drive letter is replaced', ['C:x', 'dir/C:x'], ['C_x', 'dir/C:x']],
  ['a name that then equals another gets a number', ['a\\b.txt', 'a_b.txt'], ['a_b.txt', 'a_b (1).txt']],
  [
    'three names that become equal, and an entry that already has the resulting name',
    ['a\nb', 'a\\b', 'a_b', 'a_b (1)'],
    ['a_b', 'a_b (1)', 'a_b (2)', 'a_b (1) (1)'],
  ],
  [
    'changed folders with their entries',
    ['a\\b/', 'a\\b/c', 'a\\b/d\\/', 'a\\b/d\\/e', 'a_b/', 'a_b/c'],
    ['a_b', 'a_b/c', 'a_b/d_', 'a_b/d_/e', 'a_b (1)', 'a_b (1)/c'],
  ],
  [
    'an entry that sorts after the changed name',
    [
      'a_b',
      'a_b (1)',
      'a\x7Fb',
      'd_e/',
      'd_e/f_g',
      'd_e/s/',
      'd_e/s/x',
      'd_e/f\x7Fg',
      'd\x7Fe/',
      'd\x7Fe/f_g',
    ],
    [
      'a_b',
      'a_b (1)',
      'a_b (2)',
      'd_e',
      'd_e/f_g',
      'd_e/s',
      'd_e/s/x',
      'd_e/f_g (1)',
      'd_e (1)',
      'd_e (1)/f_g',
    ],
  ],
])('5.2: %s', (_case, entries, expected) => {
  expect(namesOf(...entries)).toEqual(expected)
})
