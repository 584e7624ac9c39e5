import { expect, test } from 'vitest'
import { pathOf, type Path } from '../../shared/domain/path.ts'
import type { Change } from '../changes/change.ts'
import { isDirectlyIn, visibleChangeOf, translatePaths } from './visible-change.ts'

const at = (text: string): Path => pathOf(text)!
const moved: Change = {
  kind: 'moved',
  path: at('/a.txt'),
  to: at('/old/a.txt'),
  userId: 2,
  username: 'bea',
  scope: at('/people/bea'),
  writtenScope: 'people/bea',
  call: 'resources.transfer',
  origin: 'x',
  atMs: 0,
}

test.each([
  ['from the root', '/', '/people/bea/a.txt', '/people/bea/old/a.txt'],
  ['from the same scope', '/people/bea', '/a.txt', '/old/a.txt'],
  ['from a scope inside', '/people/bea/old', null, '/a.txt'],
  ['from a neighbour', '/people/ann', null, null],
  ['from a scope that begins alike', '/people/be', null, null],
])('the paths of a move as seen %s', (...[_case, scope, from, to]) => {
  expect(translatePaths(moved, at(scope))).toEqual({ from, to })
})

test('an entry moved out of the scope is removed, and one moved into it is created', () => {
  const [a, b] = [at('/a'), at('/b')]
  expect(visibleChangeOf('moved', a, b)).toEqual({ kind: 'moved', path: a, to: b })
  expect(visibleChangeOf('moved', a, null)).toEqual({ kind: 'removed', path: a })
  expect(visibleChangeOf('moved', null, b)).toEqual({ kind: 'created', path: b })
  expect(visibleChangeOf('copied', a, null)).toBe(null)
  expect(visibleChangeOf('removed', null, null)).toBe(null)
})

test('only a direct entry of a folder counts as in it', () => {
  const folders = new Set([at('/docs'), at('/')])
  expect(['/docs/a', '/a', '/docs/sub/a', '/'].map((path) => isDirectlyIn(folders, at(path)))).toEqual([
    true,
    true,
    false,
    false,
  ])
})
