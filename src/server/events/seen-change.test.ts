import { expect, test } from 'vitest'
import { pathOf, type Path } from '../../shared/domain/path.ts'
import type { Change } from '../changes/change.ts'
import { isIn, seenAs, translate } from './seen-change.ts'

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
])('a move seen %s', (...[_case, scope, from, to]) => {
  expect(translate(moved, at(scope))).toEqual({ from, to })
})

test('what leaves sight is gone, what comes into sight is new', () => {
  const [a, b] = [at('/a'), at('/b')]
  expect(seenAs('moved', a, b)).toEqual({ kind: 'moved', path: a, to: b })
  expect(seenAs('moved', a, null)).toEqual({ kind: 'removed', path: a })
  expect(seenAs('moved', null, b)).toEqual({ kind: 'created', path: b })
  expect(seenAs('copied', a, null)).toBe(null)
  expect(seenAs('removed', null, null)).toBe(null)
})

test('only what happens directly in a folder counts as in it', () => {
  const folders = new Set([at('/docs'), at('/')])
  expect(['/docs/a', '/a', '/docs/sub/a', '/'].map((path) => isIn(folders, at(path)))).toEqual([
    true,
    true,
    false,
    false,
  ])
})
