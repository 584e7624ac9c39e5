import { linkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { numberedName } from '../../shared/domain/names.ts'
import { encodePath, pathOf } from '../../shared/domain/path.ts'
import { bareCallerFactory } from '../../../test/kit/bare-caller-factory.ts'
import { causeOf } from '../../../test/kit/change-cause.ts'
import { testRecords, userFields } from '../../../test/kit/records.ts'
import { sharedStorageThreads } from '../../../test/kit/shared-threads.ts'
import { startApp, treeOf, type TestApp } from '../../../test/kit/start-app.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { makeTree } from '../../../test/kit/tree.ts'
import type { SessionRecord } from '../records/session-store.ts'
import { createPosixVolume } from '../storage/posix/volume.ts'
import { transferEntry } from './transfer-entry.ts'

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

/** Returns what a response says about a refusal. */
const refusalOf = ({ status, headers }: Response) => [
  status,
  headers.get('x-error'),
  headers.get('x-permission'),
]

test.each<[string, readonly [string, string], number, string, string | null]>([
  ['onto something', ['/docs/a.txt', '/old/a.txt'], 409, 'name-taken', null],
  ['of nothing onto something', ['/nope', '/old/a.txt'], 409, 'name-taken', null],
  ['into itself', ['/docs', '/docs/deeper'], 400, 'into-itself', null],
  ['of nothing into nothing', ['/nope', '/nope/deeper'], 400, 'into-itself', null],
  ['of a denied file to a blank name', ['/denied/x', '/ '], 403, 'forbidden', null],
  ['of nothing to a denied name', ['/nope', '/denied/y'], 403, 'forbidden', null],
  ['of nothing to a name that is denied through a link', ['/nope', '/link/x'], 403, 'forbidden', null],
  ['of nothing', ['/nope', '/free'], 404, 'not-found', 'rename'],
  ['to a blank name', ['/docs/a.txt', '/ '], 400, 'bad-name', 'rename'],
])(
  'a move %s is refused before the missing permission, unless the permission comes first',
  async (...[_case, paths, status, code, permission]) => {
    const rules = [{ regex: false, allow: false, path: '/denied', regexp: null }]
    const app = await startApp({
      files: { ...files, denied: { x: 'X' }, link: { link: 'denied' } },
      user: { rules },
      users: { ben: { rules, perm: { rename: false } } },
    })
    const before = await treeOf(app.disk)
    const ben = await app.signIn('ben')
    const query = { action: 'rename', destination: encodePath(pathOf(paths[1])!) }
    const refused = await ben.call('resources.transfer', { path: paths[0], query })
    const told = permission === null ? [status, code, null] : [403, 'forbidden', permission]
    expect(refusalOf(refused)).toEqual(told)
    expect(refusalOf(await transfer(app, paths))).toEqual([status, code, null])
    expect(await treeOf(app.disk)).toEqual(before)
  },
)

test('a rename that nothing refuses is a single task of a storage thread', async () => {
  const folder = temporaryFolder()
  await makeTree(folder, files)
  const threads = sharedStorageThreads()
  const tasks: string[] = []
  const run: typeof threads.run = (task, ...rest) => {
    tasks.push(task)
    return threads.run(task, ...rest)
  }
  const volume = createPosixVolume({ root: folder, pool: { ...threads, run } })
  onTestFinished(() => volume.close())
  const { users } = await testRecords()
  const user = await users.add(userFields({ username: 'ann' }))
  const { callerFor } = await bareCallerFactory({ volume }).admit({ user, session: {} as SessionRecord })
  const caller = callerFor(causeOf('resources.transfer'))
  const [from, to] = [pathOf('/docs/a.txt')!, pathOf('/docs/new.txt')!]
  const options = { onConflict: 'refuse', needsModify: false, candidateOf: numberedName } as const
  await transferEntry(caller, { verb: 'move', from, to, ...options }, new AbortController().signal)
  expect(tasks).toEqual(['move'])
})

test('a file is not moved onto itself along a link, and a hard link is a taken name', async () => {
  const app = await startApp({ files: { ...files, link: { link: 'docs' } } })
  linkSync(join(app.disk, 'docs/a.txt'), join(app.disk, 'hard.txt'))
  for (const to of ['/link/a.txt', '/hard.txt'])
    expect([to, (await transfer(app, ['/docs/a.txt', to])).status]).toEqual([to, 409])
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
