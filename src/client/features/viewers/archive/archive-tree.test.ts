import { expect, test } from 'vitest'
import { hasDate, treeOfMembers } from './archive-tree.ts'

test('the times of members without a time are recognized, and those before 1970 are shown', () => {
  expect([0, -31_536_000_000, new Date(1980, 0, 1).getTime()].map(hasDate)).toEqual([false, true, true])
})

test('files are sorted into folders, and encrypted files are marked', () => {
  const tree = treeOfMembers({
    members: [
      ['d/x.txt', 5, 0, 0],
      ['secret', 7, 0, 6],
    ],
  })
  expect(
    tree
      .get('')
      ?.map(({ name, sizeBytes, isReadable, isEncrypted }) => [name, sizeBytes, isReadable, isEncrypted]),
  ).toEqual([
    ['d', 5, true, false],
    ['secret', 7, false, true],
  ])
})
