import { expect, test } from 'vitest'
import { pathOf } from '../../../shared/domain/path.ts'
import { resolveFolder } from './resolve-folder.ts'

test.each([
  ['/', '', '/'],
  ['/a/b', '', '/a/b'],
  ['/a/b', '.', '/a/b'],
  ['/a/b', '..', '/a'],
  ['/a/b', '../..', '/'],
  ['/a/b', '../../../../etc', '/etc'],
  ['/', '..', '/'],
  ['/a', 'b/c/', '/a/b/c'],
  ['/a', './b//c/.', '/a/b/c'],
  ['/a', '/b', '/b'],
  ['/a', '/../../b', '/b'],
  ['/a', '~', '/'],
  ['/a', '~/b', '/b'],
  ['/a', '~b', '/a/~b'],
  ['/a', 'a%2Fb', '/a/a%2Fb'],
  ['/a', '#?&+ 😀', '/a/#?&+ 😀'],
  ['/a', '...', '/a/...'],
  ['/a', '-', '/a/-'],
])('in %s, the argument %j means %s', (current, argument, folder) => {
  expect(resolveFolder(pathOf(current)!, argument)).toBe(folder)
})

test.each(['a\0b', 'n'.repeat(256)])('no folder can be named %j', (argument) => {
  expect(resolveFolder(pathOf('/')!, argument)).toBe(null)
})
