import { expect, test } from 'vitest'
import { causeOf } from '../../../test/kit/change-cause.ts'
import { pathOf, type Path } from '../../shared/domain/path.ts'
import type { StorageChange } from '../changes/change.ts'
import { isDirectlyIn, visibleChangeOf, translatePaths } from './visible-change.ts'

const testPath = (text: string): Path => pathOf(text)!
const moved: StorageChange = {
  id: 'one',
  kind: 'moved',
  path: testPath('/a.txt'),
  to: testPath('/old/a.txt'),
  userId: 2,
  username: 'bea',
  scope: testPath('/people/bea'),
  storedScope: 'people/bea',
  cause: causeOf('resources.transfer', 'x'),
  atMs: 0,
}

test.each([
  ['the root', '/', '/people/bea/a.txt', '/people/bea/old/a.txt'],
  ['the same scope', '/people/bea', '/a.txt', '/old/a.txt'],
  ['a folder inside the scope', '/people/bea/old', null, '/a.txt'],
  ['a neighbouring folder', '/people/ann', null, null],
  ['a folder with the same prefix', '/people/be', null, null],
])('the paths of a move for a user whose scope is %s', (...[_case, scope, from, to]) => {
  expect(translatePaths(moved, testPath(scope))).toEqual({ from, to })
})

test('a move out of the scope is a removal, and a move into the scope is a creation', () => {
  const [a, b] = [testPath('/a'), testPath('/b')]
  expect(visibleChangeOf('moved', a, b)).toEqual({ kind: 'moved', path: a, to: b })
  expect(visibleChangeOf('moved', a, null)).toEqual({ kind: 'removed', path: a })
  expect(visibleChangeOf('moved', null, b)).toEqual({ kind: 'created', path: b })
  expect(visibleChangeOf('copied', a, null)).toBe(null)
  expect(visibleChangeOf('removed', null, null)).toBe(null)
})

test('only direct entries of a folder count as entries in the folder', () => {
  const folders = new Set([testPath('/docs'), testPath('/')])
  expect(['/docs/a', '/a', '/docs/sub/a', '/'].map((path) => isDirectlyIn(folders, testPath(path)))).toEqual([
    true,
    true,
    false,
    false,
  ])
})
