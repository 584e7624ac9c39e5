import { expect, test } from 'vitest'
import { encodePath, pathOf } from '../../shared/domain/path.ts'
import { startApp, treeOf, type TestApp } from '../../../test/kit/start-app.ts'

const files = { docs: { 'a.txt': 'A', 'b.txt': 'B' }, old: { 'a.txt': 'older' }, 'x.tar.gz': 'X' }

type TransferFlags = {
  readonly action?: string
  readonly override?: string
  readonly rename?: string
  readonly wholeExtension?: string
}

const transfer = (
  app: TestApp,
  [from, to]: readonly [string, string],
  flags: TransferFlags = { action: 'rename' },
) => app.call('resources.transfer', { path: from, query: { ...flags, destination: encodePath(pathOf(to)!) } })

test('a taken name is refused, and nothing changes', async () => {
  const app = await startApp({ files })
  const reply = await transfer(app, ['/docs/a.txt', '/old/a.txt'])
  expect([reply.status, reply.headers.get('x-error'), await reply.text()]).toEqual([
    409,
    'name-taken',
    '409 Conflict\n',
  ])
  expect(await treeOf(app.disk)).toEqual(files)
})

test('a move creates the missing folders of the destination', async () => {
  const app = await startApp({ files })
  const reply = await transfer(app, ['/docs/a.txt', '/new/deep/c d%.txt'])
  expect([reply.status, await reply.text(), reply.headers.get('content-location')]).toEqual([
    200,
    '200 OK\n',
    '/new/deep/c%20d%25.txt',
  ])
  expect(await treeOf(app.disk)).toEqual({
    ...files,
    docs: { 'b.txt': 'B' },
    new: { deep: { 'c d%.txt': 'A' } },
  })
})

test('a copy of a folder contains all its entries', async () => {
  const app = await startApp({ files })
  expect((await transfer(app, ['/docs', '/copy'], { action: 'copy' })).status).toBe(200)
  expect(await treeOf(app.disk)).toEqual({ ...files, copy: files.docs })
})

test('our client gets a number before a double extension and after the name of a hidden file', async () => {
  const app = await startApp({ files: { 'x.tar.gz': '', '.bashrc': '' } })
  for (const path of ['/x.tar.gz', '/.bashrc'])
    await transfer(app, [path, path], { action: 'copy', rename: 'true', wholeExtension: 'true' })
  expect(Object.keys(await treeOf(app.disk)).toSorted()).toEqual([
    '.bashrc',
    '.bashrc(1)',
    'x(1).tar.gz',
    'x.tar.gz',
  ])
})

test('a numbered name takes the first free number', async () => {
  const app = await startApp({ files })
  const paths: string[] = []
  for (let n = 0; n < 3; n += 1) {
    const reply = await transfer(app, ['/x.tar.gz', '/x.tar.gz'], { action: 'copy', rename: 'true' })
    paths.push(decodeURIComponent(reply.headers.get('content-location') ?? ''))
  }
  expect(paths).toEqual(['/x.tar(1).gz', '/x.tar(2).gz', '/x.tar(3).gz'])
  expect(Object.keys(await treeOf(app.disk)).toSorted()).toEqual([
    'docs',
    'old',
    'x.tar(1).gz',
    'x.tar(2).gz',
    'x.tar(3).gz',
    'x.tar.gz',
  ])
})

test('overwriting replaces a file', async () => {
  const app = await startApp({ files })
  expect(
    (await transfer(app, ['/docs/a.txt', '/old/a.txt'], { action: 'rename', override: 'true' })).status,
  ).toBe(200)
  expect(await treeOf(app.disk)).toEqual({ ...files, docs: { 'b.txt': 'B' }, old: { 'a.txt': 'A' } })
})

test('a copy onto a folder merges the two, and a move onto a folder is refused', async () => {
  const before = { ...files, old: { ...files.old, 'kept.txt': 'K' } }
  const app = await startApp({ files: before })
  expect((await transfer(app, ['/docs', '/old'], { action: 'rename', override: 'true' })).status).toBe(409)
  expect(await treeOf(app.disk)).toEqual(before)
  expect((await transfer(app, ['/docs', '/old'], { action: 'copy', override: 'true' })).status).toBe(200)
  expect(await treeOf(app.disk)).toEqual({ ...before, old: { ...files.docs, 'kept.txt': 'K' } })
})

test.each<[string, readonly [string, string], TransferFlags, number]>([
  ['into itself', ['/docs', '/docs/deeper'], { action: 'rename' }, 400],
  ['of the root', ['/', '/x'], { action: 'copy' }, 403],
  ['onto the root', ['/docs', '/'], { action: 'copy', override: 'true' }, 403],
  ['of nothing', ['/docs/nope', '/old/nope'], { action: 'rename' }, 404],
  ['of nothing onto something', ['/docs/nope', '/old/a.txt'], { action: 'rename' }, 409],
  ['with an unknown action', ['/docs/a.txt', '/c'], { action: 'explode' }, 400],
  ['without an action', ['/docs/a.txt', '/c'], {}, 400],
  [
    'that copies a file onto itself',
    ['/docs/a.txt', '/docs/a.txt'],
    { action: 'copy', override: 'true' },
    409,
  ],
  ['that renames a file to itself', ['/docs/a.txt', '/docs/a.txt'], { action: 'rename' }, 200],
  ['of a folder onto a file', ['/docs', '/x.tar.gz'], { action: 'rename', override: 'true' }, 409],
  ['of a file onto a folder', ['/x.tar.gz', '/docs'], { action: 'copy', override: 'true' }, 409],
  ['to a blank name', ['/docs/a.txt', '/c/ '], { action: 'copy' }, 400],
])(
  'a transfer %s returns the expected status, and nothing changes',
  async (...[_case, paths, flags, status]) => {
    const app = await startApp({ files })
    expect((await transfer(app, paths, flags)).status).toBe(status)
    expect(await treeOf(app.disk)).toEqual(files)
  },
)

test('a path that a rule denies is refused before the other errors of a transfer', async () => {
  const rules = [{ regex: false, allow: false, path: '/docs', regexp: { raw: '' } }]
  const app = await startApp({ files, user: { rules } })
  for (const paths of [
    ['/docs/a.txt', '/c'],
    ['/x.tar.gz', '/docs/new'],
    ['/docs/a.txt', '/x.tar.gz'],
    ['/docs/a.txt', '/x.tar.gz/below'],
  ] as const)
    for (const action of ['explode', 'copy', 'rename'])
      expect([paths, action, (await transfer(app, paths, { action })).status]).toEqual([paths, action, 403])
  expect(await treeOf(app.disk)).toEqual(files)
})

test.each([
  '',
  '?destination=',
  '?action=copy&destination=/../etc/x',
  '?action=copy&destination=/%252e%252e/x',
])('the query %j has no valid destination and is refused', async (query) => {
  const app = await startApp({ files })
  expect((await app.fetch(`/api/resources/docs${query}`, { method: 'PATCH' })).status).toBe(400)
  expect(await treeOf(app.disk)).toEqual(files)
})

test.each<[string, object, TransferFlags, number]>([
  ['copies without create', { create: false }, { action: 'copy' }, 403],
  ['moves without rename', { rename: false }, { action: 'rename' }, 403],
  ['overwrites without modify', { modify: false }, { action: 'copy', override: 'true' }, 403],
  ['copies with create alone', { rename: false, modify: false, delete: false }, { action: 'copy' }, 200],
])('a transfer by a user who %s returns the expected status', async (...[_case, perm, flags, status]) => {
  const app = await startApp({ files, user: { perm } })
  expect((await transfer(app, ['/docs/a.txt', '/c.txt'], flags)).status).toBe(status)
})

test('a folder with a denied entry cannot be moved, copied or deleted, and the denied entry cannot be overwritten', async () => {
  const rules = [{ regex: false, allow: false, path: '/docs/b.txt', regexp: null }]
  const app = await startApp({ files, user: { rules } })
  const statuses = [
    (await transfer(app, ['/docs', '/moved'])).status,
    (await transfer(app, ['/docs', '/copied'], { action: 'copy' })).status,
    (await app.call('resources.remove', { path: '/docs' })).status,
    (await transfer(app, ['/docs/a.txt', '/docs/b.txt'], { action: 'rename', override: 'true' })).status,
  ]
  expect(statuses).toEqual([403, 403, 403, 403])
  expect(await treeOf(app.disk)).toEqual(files)
})
