import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { DescendantEntry } from '../../shared/contract/resources.ts'
import { makeUnreachable } from '../../../test/kit/mounts.ts'
import { startApp } from '../../../test/kit/start-app.ts'

const files = {
  d: { 'a.txt': 'a', dead: {}, foreign: {}, link: { link: 'dead' }, secret: {}, z: { 'a2.txt': 'aa' } },
}

const lines = async (reply: Promise<Response>): Promise<unknown[]> =>
  (await (await reply).text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)

test('entries that cannot be reached are listed as such, searched around, and said', async (context) => {
  const app = await startApp({
    files,
    user: { rules: [{ regex: false, allow: false, path: '/d/secret', regexp: null }] },
  })
  for (const [name, how] of [
    ['dead', 'dead'],
    ['foreign', 'foreign'],
    ['secret', 'dead'],
  ] as const) {
    const mend = makeUnreachable(path.join(app.disk, 'd', name), how)
    if (mend === null) context.skip()
    else onTestFinished(mend)
  }
  const headers = { accept: 'application/x-ndjson' }

  const [, rows] = await lines(app.call('resources.get', { path: '/d/', headers }))
  expect((rows as unknown[][]).map(([name, size, , type, flags]) => [name, size, type, flags])).toEqual([
    ['dead', 0, 'blob', 16],
    ['foreign', 0, 'blob', 16],
    ['z', expect.any(Number), '', 1],
    ['a.txt', 1, 'text', 0],
    ['link', expect.any(Number), 'invalid_link', 6],
  ])
  const { items } = (await (await app.call('resources.get', { path: '/d/' })).json()) as {
    items: Record<string, unknown>[]
  }
  expect(items.find(({ name }) => name === 'dead')).toMatchObject({ size: 0, isDir: false, type: 'blob' })

  const query = { query: 'a' }
  const hits = await lines(app.call('search.get', { path: '/d/', query, headers }))
  expect(hits.map((hit) => (hit as { path?: string }).path ?? hit)).toEqual([
    'a.txt',
    'dead',
    'z/a2.txt',
    { unsearched: 2 },
  ])
  expect(hits[1]).toMatchObject({ flags: 16, size: 0 })
  // Other clients get the same answer as ever: the hits alone.
  const plain = (await (await app.call('search.get', { path: '/d/', query })).json()) as { path: string }[]
  expect(plain.map((hit) => hit.path)).toEqual(['a.txt', 'dead', 'z/a2.txt'])
  expect(await lines(app.call('search.get', { path: '/d/dead/', query, headers }))).toEqual([
    { unsearched: 1 },
  ])

  const totals = (await lines(app.call('du.get', { path: '/d' }))).at(-1)
  expect(totals).toMatchObject({ numDirs: 1, complete: true, unreachable: 2 })
  expect((await lines(app.call('du.get', { path: '/d/z' }))).at(-1)).not.toHaveProperty('unreachable')
  expect((await app.call('resources.get', { path: '/d/dead/' })).status).toBe(503)

  const below = (await (await app.call('resources.recursive', { path: '/d' })).json()) as DescendantEntry[]
  expect(below.map(({ path, isDir, size, unreachable }) => [path, isDir || size, unreachable])).toEqual([
    ['/d/a.txt', 1, undefined],
    ['/d/dead', 0, true],
    ['/d/foreign', 0, true],
    ['/d/z', true, undefined],
    ['/d/z/a2.txt', 2, undefined],
  ])
})
