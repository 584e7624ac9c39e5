import { expect, test } from 'vitest'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { compareEntries } from './compare-entries.ts'

const entry = (name: string, fields: Partial<ListedEntry> = {}): ListedEntry => ({
  name,
  isFolder: false,
  isLink: false,
  isBroken: false,
  sizeBytes: 0,
  modifiedMs: 0,
  type: 'blob',
  ...fields,
})

const entries = [
  entry('10.txt', { sizeBytes: 1, modifiedMs: 30 }),
  entry('2.txt', { sizeBytes: 1, modifiedMs: 40 }),
  entry('b', { isFolder: true, sizeBytes: 4096, modifiedMs: 20 }),
  entry('a', { isFolder: true, sizeBytes: 8192, modifiedMs: 10 }),
  entry('3.txt', { sizeBytes: 9, modifiedMs: 50 }),
]

test.each([
  ['name', false, ['a', 'b', '2.txt', '3.txt', '10.txt']],
  ['name', true, ['b', 'a', '10.txt', '3.txt', '2.txt']],
  ['size', false, ['a', 'b', '2.txt', '10.txt', '3.txt']],
  ['size', true, ['a', 'b', '3.txt', '2.txt', '10.txt']],
  ['modified', false, ['a', 'b', '10.txt', '2.txt', '3.txt']],
  ['modified', true, ['b', 'a', '3.txt', '2.txt', '10.txt']],
] as const)('by %s, descending: %s, folders come first and equal values by name', (by, descending, names) => {
  const order = { by, descending, folders: 'first' } as const
  expect(entries.toSorted((a, b) => compareEntries(order, a, b)).map(({ name }) => name)).toEqual(names)
})
