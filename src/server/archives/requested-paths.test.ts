import { expect, test } from 'vitest'
import { pathOf, type Path } from '../../shared/domain/path.ts'
import { requestedPaths } from './requested-paths.ts'

const docs = pathOf('/docs') as Path

test.each([
  ['nothing is the folder itself', '', '/docs', ['/docs']],
  ['one file', 'a.txt', '/docs/a.txt', ['/docs/a.txt']],
  ['a slash before it', '/a.txt', '/docs/a.txt', ['/docs/a.txt']],
  ['several, in byte order and once each', 'b,a,b', '/docs', ['/docs/a', '/docs/b']],
  [
    'a comma, a percent sign and a plus in a name',
    'a%2Cb,50%25,c+d',
    '/docs',
    ['/docs/50%', '/docs/a,b', '/docs/c+d'],
  ],
  ['deeper ones have a nearer folder', 'sub%2Fa,sub/b', '/docs/sub', ['/docs/sub/a', '/docs/sub/b']],
  ['what lies in another comes with it', 'sub/a,sub,sub b', '/docs', ['/docs/sub', '/docs/sub b']],
  ['what climbs is left out', '../x,a,%2e%2e/y,b/../c', '/docs/a', ['/docs/a']],
  ['nothing but what climbs is not the folder', '..', '/docs', []],
  ['what is not percent-encoding is left out', '100%,a', '/docs/a', ['/docs/a']],
])('%s', (_case, files, base, tops) => {
  expect(requestedPaths(docs, files)).toEqual({ base, tops })
})
