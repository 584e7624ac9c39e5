import { execFileSync } from 'node:child_process'
import { utimes } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { DescendantEntry } from '../../shared/contract/resources.ts'
import { startApp, type TestApp } from '../../../test/kit/start-app.ts'

async function pathsBelow(app: TestApp, target: string): Promise<string[]> {
  const reply = await app.call('resources.recursive', { path: target })
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  return ((await reply.json()) as DescendantEntry[]).map(({ path, isDir }) => (isDir ? `${path}/` : path))
}

test('all entries below a folder are returned as one flat array (contract 3.10)', async () => {
  const app = await startApp({ files: { up: { a: { 'f.txt': 'abc' } } } })
  for (const name of ['up/a/f.txt', 'up/a'])
    await utimes(path.join(app.disk, name), 1_782_900_000, 1_782_900_000)
  const reply = await app.call('resources.recursive', { path: '/up' })
  expect(await reply.json()).toEqual([
    {
      path: '/up/a',
      name: 'a',
      size: expect.any(Number),
      modified: '2026-07-01T10:00:00.000Z',
      isDir: true,
    },
    { path: '/up/a/f.txt', name: 'f.txt', size: 3, modified: '2026-07-01T10:00:00.000Z', isDir: false },
  ])
})

test('entries are listed depth first in byte order, without denied folders and their content, and links are not followed', async () => {
  const app = await startApp({
    files: {
      up: {
        b: { x: '' },
        B: '',
        denied: { open: '' },
        '.hidden': { x: '' },
        folder: { link: 'b' },
        out: { link: '/etc' },
        dangling: { link: 'none' },
        'b.txt': '',
      },
    },
    user: {
      hideDotfiles: true,
      rules: [{ regex: false, allow: false, path: '/up/denied', regexp: null }],
    },
  })
  execFileSync('mkfifo', [path.join(app.disk, 'up/pipe')])
  expect(await pathsBelow(app, '/up')).toEqual(['/up/B', '/up/b/', '/up/b/x', '/up/b.txt', '/up/folder'])
  expect(await pathsBelow(app, '/up/b/')).toEqual(['/up/b/x'])
})

test.each([
  ['/none', 404],
  ['/a.txt/x', 404],
  ['/dangling', 404],
  ['/a.txt', 400],
  ['/secret', 403],
])(
  'listing the tree of %s, which is not a folder, returns the status %i (contract 3.10)',
  async (target, status) => {
    const app = await startApp({
      files: { 'a.txt': 'A', dangling: { link: 'nothing' } },
      user: { rules: [{ regex: false, allow: false, path: '/secret', regexp: null }] },
    })
    expect((await app.call('resources.recursive', { path: target })).status).toBe(status)
  },
)

test('an entry that is named recursive can still be requested (contract 3.10)', async () => {
  const app = await startApp({ files: { recursive: { in: 'x' }, up: {} } })
  const entry = (await (await app.fetch('/api/resources/recursive')).json()) as { items: unknown[] }
  expect(entry.items).toHaveLength(1)
  const below = (await (await app.fetch('/api/resources/recursive/')).json()) as unknown[]
  expect(below).toHaveLength(3)
  expect((await app.fetch('/api/resources/recursive/new', { method: 'POST', body: 'x' })).status).toBe(200)
  expect((await app.fetch('/api/resources/recursive/new', { method: 'PUT', body: 'y' })).status).toBe(200)
  expect((await app.fetch('/api/resources/recursive/new', { method: 'DELETE' })).status).toBe(200)
})
