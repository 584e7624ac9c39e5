import { expect, test } from 'vitest'
import type { ShareResource } from '../../../shared/contract/shares.ts'
import { arrangeLinks, type LinkOrder } from './arrange-links.ts'

const links = [
  { hash: 'a', path: '/10.txt', expire: 0, userID: 1 },
  { hash: 'b', path: '/9.txt', expire: 50, userID: 2 },
  { hash: 'c', path: '/Many/', expire: 20, userID: 1 },
] as unknown as readonly ShareResource[]
const ownerOf = ({ userID }: ShareResource): string => (userID === 1 ? 'zoe' : 'ann')

test.each<[LinkOrder, string, string]>([
  [null, '', 'abc'],
  [{ by: 'path', isDescending: false }, '', 'bac'],
  [{ by: 'end', isDescending: false }, '', 'cba'],
  [{ by: 'end', isDescending: true }, '', 'abc'],
  [{ by: 'owner', isDescending: false }, '', 'bac'],
  [null, 'MANY', 'c'],
  [{ by: 'path', isDescending: true }, ' zo ', 'ca'],
  [null, 'nothing', ''],
])('links ordered by %j and filtered by "%s" are %s', (order, filter, expected) => {
  const found = arrangeLinks(links, { order, filter, ownerOf })
  expect(found.map(({ hash }) => hash).join('')).toBe(expected)
})

test.each(['docs / a', 'Docs/a', '/docs', 'a.txt '])('“%s” finds the link of a path', (filter) => {
  const paths = ['/Docs/a.txt', '/Other/b.txt'].map((path) => ({ path }) as ShareResource)
  const found = arrangeLinks(paths, { order: null, filter, ownerOf: () => '' })
  expect(found.map(({ path }) => path)).toEqual(['/Docs/a.txt'])
})
