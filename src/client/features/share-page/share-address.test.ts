import { expect, test } from 'vitest'
import { parsePath, pathOf, type Path } from '../../../shared/domain/path.ts'
import { shareLevelsOf, shareRootOf, shareUrl } from './share-address.ts'

const at = (text: string): Path => pathOf(text)!
const namesIn = (path: Path) => shareLevelsOf(path).map(({ name, isEllipsis }) => (isEllipsis ? '...' : name))

test('the breadcrumb shows three levels, and an ellipsis that leads to the last hidden one', () => {
  expect(namesIn(at('/hash'))).toEqual([])
  expect(namesIn(at('/hash/a/b/c'))).toEqual(['a', 'b', 'c'])
  expect(namesIn(at('/hash/a/b/c/d/e'))).toEqual(['...', 'c', 'd', 'e'])
  expect(shareLevelsOf(at('/hash/a/b/c/d/e'))[0]?.path).toBe('/hash/a/b')
})

test('an address leads back to the same path, also for names that URLs treat specially', () => {
  for (const name of ['a%2Fb', '#?&+', '100%', 'größe 🎉', ' a ']) {
    const url = shareUrl(at(`/hash/${name}`), true)
    expect(parsePath(url.slice('/share'.length))).toEqual({ path: `/hash/${name}`, isFolder: true })
  }
  expect(shareUrl(at('/hash'), true)).toBe('/share/hash')
  expect(shareRootOf(at('/hash/a/b'))).toBe('/hash')
})
