import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { mkdir, rename, rm, rmdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startApp } from '../../../test/kit/start-app.ts'
import { watchesOf } from '../../../test/kit/inotify-watches.ts'
import { connectionOf, connectWatcher, startOfWatch } from '../../../test/kit/watching-client.ts'

test('a client that watches a folder receives its changes with the origin of the client that made them', async () => {
  const app = await startApp({ files: { docs: {}, other: {} } })
  const { next, socket } = await connectWatcher(app, app, ['/docs'])
  const headers = { 'x-origin': 'tab-1' }
  await app.call('resources.create', { path: '/other/x.txt', body: 'X' })
  await app.call('resources.create', { path: '/docs/a.txt', body: 'A', headers })
  expect(await next()).toMatchObject({ id: 1, kind: 'created', path: '/docs/a.txt', origin: 'tab-1' })
  await app.call('resources.create', { path: '/docs/a.txt', body: 'B', query: { override: 'true' } })
  expect(await next()).toMatchObject({ id: 2, kind: 'written', path: '/docs/a.txt', origin: null })
  await app.call('resources.transfer', {
    path: '/docs/a.txt',
    query: { action: 'rename', destination: '/other/b.txt' },
  })
  expect(await next()).toMatchObject({ id: 3, kind: 'moved', path: '/docs/a.txt', to: '/other/b.txt' })
  await app.call('resources.create', { path: '/docs/new/deep/c.txt', body: 'C' })
  expect(await next()).toMatchObject({ kind: 'created', path: '/docs/new' })
  await app.call('resources.remove', { path: '/docs/new' })
  expect(await next()).toMatchObject({ kind: 'removed', path: '/docs/new' })
  socket.close()
})

test('two users who share a folder receive its changes, each with their own paths', async () => {
  const app = await startApp({
    files: { people: { bea: { docs: {} } } },
    users: { bea: { scope: '/people/bea' } },
  })
  const bea = await app.signIn('bea')
  const annLooks = await connectWatcher(app, app, ['/people/bea/docs'])
  const beaLooks = await connectWatcher(app, bea, ['/docs'])
  await bea.call('resources.create', {
    path: '/docs/b.txt',
    body: 'B',
    headers: { 'x-origin': 'tab-of-bea' },
  })
  expect(await annLooks.next()).toMatchObject({ path: '/people/bea/docs/b.txt', origin: null })
  await app.call('resources.create', { path: '/people/bea/docs/a.txt', body: 'A' })
  expect(await beaLooks.next()).toMatchObject({ path: '/docs/b.txt', origin: 'tab-of-bea' })
  expect(await beaLooks.next()).toMatchObject({ path: '/docs/a.txt', origin: null })
  await app.call('resources.transfer', {
    path: '/people/bea/docs/a.txt',
    query: { action: 'rename', destination: '/a.txt' },
  })
  expect(await beaLooks.next()).toMatchObject({ kind: 'removed', path: '/docs/a.txt' })
  annLooks.socket.close()
  beaLooks.socket.close()
})

test('the viewers of a folder learn where the folder and the folders above it have gone, if they may see the new place', async () => {
  const rules = [{ regex: false, allow: false, path: '/hidden', regexp: null }]
  const app = await startApp({ files: { a: { b: { c: {} } }, hidden: {} }, users: { bea: { rules } } })
  const move = (path: string, destination: string) =>
    app.call('resources.transfer', { path, query: { action: 'rename', destination } })
  const ann = await connectWatcher(app, app, ['/a/b/c'])
  const bea = await connectWatcher(app, await app.signIn('bea'), ['/a/b/c'])
  await move('/a/b', '/new')
  const moved = { kind: 'moved', path: '/a/b', to: '/new' }
  await expect.poll(() => ann.seen).toContainEqual(expect.objectContaining(moved))
  await expect.poll(() => bea.seen).toContainEqual(expect.objectContaining(moved))
  await move('/new', '/a/b')
  await move('/a/b', '/hidden/b')
  await expect.poll(() => ann.seen).toContainEqual(expect.objectContaining({ to: '/hidden/b' }))
  await expect.poll(() => bea.seen.at(-1)?.kind).toBe('reload')
  expect(JSON.stringify(bea.seen)).not.toContain('hidden')
  ann.socket.close()
  bea.socket.close()
})

test('a client that watches a denied path is not told that a folder above it has moved', async () => {
  const rules = [{ regex: false, allow: false, path: '/a/b', regexp: null }]
  const app = await startApp({ files: { a: { b: { c: {} } }, docs: {} }, users: { bea: { rules } } })
  const bea = await connectWatcher(app, await app.signIn('bea'), ['/a/b/c', '/docs'])
  const query = { action: 'rename', destination: '/a/new' }
  await app.call('resources.transfer', { path: '/a/b', query })
  await app.call('resources.create', { path: '/docs/later/' })
  await expect.poll(() => bea.seen).toContainEqual(expect.objectContaining({ path: '/docs/later' }))
  expect(JSON.stringify(bea.seen)).not.toContain('/a/b')
  bea.socket.close()
})

test('changes of denied entries are not sent', async () => {
  const rules = [{ regex: false, allow: false, path: '/docs/secret.txt', regexp: null }]
  const app = await startApp({ files: { docs: {} }, users: { bea: { rules } } })
  const { next, socket } = await connectWatcher(app, await app.signIn('bea'), ['/docs'])
  await app.call('resources.create', { path: '/docs/secret.txt', body: 'S' })
  await app.call('resources.transfer', {
    path: '/docs/secret.txt',
    query: { action: 'rename', destination: '/docs/open.txt' },
  })
  expect(await next()).toMatchObject({ id: 1, kind: 'created', path: '/docs/open.txt' })
  socket.close()
})

test('the socket ends with its session, and cannot be opened without one', async () => {
  const app = await startApp({})
  const { socket } = await connectWatcher(app, app, ['/'])
  const closed = once(socket, 'close')
  await app.call('sessions.logout')
  await closed
  const refused = new WebSocket(`${app.url.replace('http', 'ws')}/api/events`, {
    headers: { 'x-auth': app.token },
  })
  const [, response] = (await once(refused, 'unexpected-response')) as [unknown, { statusCode: number }]
  expect(response.statusCode).toBe(401)
})

test('a client learns what other programs do on the disk, with the rows that its listing needs', async () => {
  const app = await startApp({ files: { docs: { 'old.txt': 'old' } } })
  const client = await connectWatcher(app, app, ['/docs'])
  const { next, socket } = client
  await startOfWatch(client, '/docs')
  await writeFile(path.join(app.disk, 'docs/new.txt'), 'by rsync')
  const row = ['new.txt', 8, expect.any(Number), 'text', 0]
  expect(await next()).toEqual({ id: 1, kind: 'created', path: '/docs/new.txt', row, origin: null })
  await rm(path.join(app.disk, 'docs/old.txt'))
  expect(await next()).toEqual({ id: 2, kind: 'removed', path: '/docs/old.txt', origin: null })
  await writeFile(path.join(app.disk, 'docs/new.txt'), 'by rsync again')
  expect(await next()).toMatchObject({
    id: 3,
    kind: 'written',
    row: ['new.txt', 14, expect.any(Number), 'text', 0],
  })
  socket.close()
})

test('many changes at once become one message to read the folder again', async () => {
  const app = await startApp({ files: { docs: {} } })
  const client = await connectWatcher(app, app, ['/docs'])
  const { next, socket } = client
  await startOfWatch(client, '/docs')
  for (let n = 0; n < 300; n += 1) writeFileSync(path.join(app.disk, 'docs', `${n}.txt`), 'x')
  let single = 0
  let message = await next()
  // On a busy machine, the first changes are reported before the others have been made.
  for (; message.kind !== 'reload'; message = await next()) single += 1
  expect(message.path).toBe('/docs')
  // From 50 changes on that wait to be reported, the server sends one message instead of them.
  expect(single).toBeLessThan(250)
  socket.close()
})

test('names outside of the scope, denied names, hidden names and the own files of the server are never sent', async () => {
  const rules = [{ regex: false, allow: false, path: '/docs/secret.txt', regexp: null }]
  const app = await startApp({
    files: { 'ann.txt': '', people: { bea: { docs: {} } } },
    users: { bea: { scope: '/people/bea', rules, hideDotfiles: true } },
  })
  const bea = await app.signIn('bea')
  const client = await connectWatcher(app, bea, ['/', '/docs', '/../..', '/people/bea'])
  const { next, seen, socket } = client
  await startOfWatch(client, '/docs')
  const docs = path.join(app.disk, 'people/bea/docs')
  for (const name of ['secret.txt', '.dot', `.${'a'.repeat(32)}.stowage-part`])
    await writeFile(path.join(docs, name), 'S')
  await writeFile(path.join(app.disk, 'neighbour.txt'), 'N')
  for (const name of ['secret.txt', '.dot']) await rm(path.join(docs, name))
  await writeFile(path.join(docs, 'open.txt'), 'O')
  expect(await next()).toMatchObject({ id: 1, path: '/docs/open.txt' })
  expect(seen).toHaveLength(1)
  socket.close()
})

test('a watched folder that is replaced by a link to another folder tells no names of that folder', async () => {
  const app = await startApp({
    files: { hidden: {}, people: { bea: { docs: {} } } },
    users: { bea: { scope: '/people/bea' } },
  })
  const client = await connectWatcher(app, await app.signIn('bea'), ['/docs'])
  const { next, seen, socket } = client
  await startOfWatch(client, '/docs')
  const docs = path.join(app.disk, 'people/bea/docs')
  await rename(docs, path.join(app.disk, 'hidden/moved'))
  await symlink('../../hidden/moved', docs)
  await writeFile(path.join(app.disk, 'hidden/moved/told.txt'), 'T')
  expect(await next()).toMatchObject({ kind: 'reload', path: '/docs' })
  expect(JSON.stringify(seen)).not.toContain('told')
  socket.close()
})

test('a folder that another program deletes and creates again is watched again, for clients new and old', async () => {
  const app = await startApp({ files: { docs: {} } })
  const docs = path.join(app.disk, 'docs')
  const absent = await connectWatcher(app, app, ['/docs'])
  const { resume } = await connectionOf(absent)
  await startOfWatch(absent, '/docs')
  absent.socket.terminate()
  // Many file systems give a new folder the inode number of one that was just deleted.
  await rmdir(docs)
  await mkdir(docs)
  const fresh = await connectWatcher(app, app, ['/docs'])
  const returned = await connectWatcher(app, app, ['/docs'], { resume, since: 0 })
  expect(await returned.next()).toMatchObject({ kind: 'reload', path: '/docs' })
  for (const { seen } of [fresh, returned]) {
    const write = async () => {
      await writeFile(path.join(docs, 'a.txt'), 'A')
      return seen.at(-1)?.path
    }
    await expect.poll(write).toBe('/docs/a.txt')
  }
  fresh.socket.close()
  returned.socket.close()
})

test('a folder that returns after it was gone is watched again', async () => {
  const app = await startApp({ files: { docs: {} } })
  const docs = path.join(app.disk, 'docs')
  const client = await connectWatcher(app, app, ['/docs'])
  await startOfWatch(client, '/docs')
  await rmdir(docs)
  expect(await client.next()).toMatchObject({ kind: 'reload', path: '/docs' })
  await mkdir(docs)
  await startOfWatch(client, '/docs', 2)
  await writeFile(path.join(docs, 'a.txt'), 'A')
  await expect.poll(() => client.seen.at(-1)).toMatchObject({ kind: 'created', path: '/docs/a.txt' })
  client.socket.close()
})

test('all watches are released when all sockets have closed', async () => {
  const names = Array.from({ length: 20 }, (_, n) => `folder-${n}`)
  const app = await startApp({ files: Object.fromEntries(names.map((name) => [name, {}])) })
  const before = watchesOf(process.pid)
  const clients = await Promise.all(
    names.map((name) => connectWatcher(app, app, ['/', `/${name}`], { resume: null })),
  )
  for (const [at, client] of clients.entries()) await startOfWatch(client, `/${names[at]}`)
  expect(watchesOf(process.pid) - before).toBe(names.length + 1)
  // A client that shows no folder when its connection is lost leaves nothing behind that could be watched.
  for (const { socket } of clients) {
    socket.send(JSON.stringify({ watch: [] }))
    socket.close()
  }
  await expect.poll(() => watchesOf(process.pid)).toBe(before)
})

test('a client that lost its connection gets exactly the changes that it has missed', async () => {
  const app = await startApp({ files: { docs: {} } })
  const first = await connectWatcher(app, app, ['/docs'])
  const { resume } = await connectionOf(first)
  await app.call('resources.create', { path: '/docs/a.txt', body: 'A' })
  expect(await first.next()).toMatchObject({ id: 1, path: '/docs/a.txt' })
  first.socket.terminate()
  await app.call('resources.create', { path: '/docs/b.txt', body: 'B' })
  await app.call('resources.remove', { path: '/docs/a.txt' })
  const second = await connectWatcher(app, app, ['/docs'], { resume, since: 1 })
  expect(await connectionOf(second)).toEqual({ resume, isResumed: true })
  expect(await second.next()).toMatchObject({ id: 2, kind: 'created', path: '/docs/b.txt' })
  expect(await second.next()).toMatchObject({ id: 3, kind: 'removed', path: '/docs/a.txt' })
  second.socket.close()
})

test('a client whose changes are not known, or who is another user, is told to read its folders again', async () => {
  const app = await startApp({ files: { docs: {} }, users: { bea: {} } })
  const first = await connectWatcher(app, app, ['/docs'])
  const { resume } = await connectionOf(first)
  first.socket.terminate()
  for (const [person, token] of [
    [app, 'unknown'],
    [await app.signIn('bea'), resume],
  ] as const) {
    const client = await connectWatcher(app, person, ['/docs'], { resume: token, since: 0 })
    expect(await connectionOf(client)).toEqual({
      resume: expect.not.stringMatching(resume),
      isResumed: false,
    })
    client.socket.close()
  }
})
