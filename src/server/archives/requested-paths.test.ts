import { expect, test } from 'vitest'
import { pathOf, type Path } from '../../shared/domain/path.ts'
import { parseRequestedPaths } from './requested-paths.ts'

const docs = pathOf('/docs') as Path

test.each([
  ['an empty list is the folder itself', '', '/docs', ['/docs']],
  ['one file is its own base', 'a.txt', '/docs/a.txt', ['/docs/a.txt']],
  ['a leading slash is ignored', '/a.txt', '/docs/a.txt', ['/docs/a.txt']],
  ['several names are in byte order and without duplicates', 'b,a,b', '/docs', ['/docs/a', '/docs/b']],
  [
    'a comma, a percent sign and a plus in a name',
    'a%2Cb,50%25,c+d',
    '/docs',
    ['/docs/50%', '/docs/a,b', '/docs/c+d'],
  ],
  [
    'nested names have their nearest common folder as base',
    'sub%2Fa,sub/b',
    '/docs/sub',
    ['/docs/sub/a', '/docs/sub/b'],
  ],
  [
    'an entry inside another requested entry is not repeated',
    'sub/a,sub,sub b',
    '/docs',
    ['/docs/sub', '/docs/sub b'],
  ],
  ['names that lead out of the folder are left out', '../x,a,%2e%2e/y,b/../c', '/docs/a', ['/docs/a']],
  ['a list of only such names is empty, and not the folder', '..', '/docs', []],
  ['invalid percent-encoding is left out', '100%,a', '/docs/a', ['/docs/a']],
])('%s', (_case, files, base, topPaths) => {
  expect(parseRequestedPaths(docs, files)).toEqual({ base, topPaths })
})
