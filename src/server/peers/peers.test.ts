import { once } from 'node:events'
import { expect, inject, test } from 'vitest'
import { startApp } from '../../../test/kit/start-app.ts'
import { connectWatcher, startOfWatch } from '../../../test/kit/watching-client.ts'

/** These tests run on an SQLite database, and once more on PostgreSQL. */

test('a person at one server sees the rename at another one, with both names and the client that made it', async () => {
  const app = await startApp({ files: { docs: { 'a.txt': 'A' } } })
  const peer = await app.startPeer()
  const { seen, socket } = await connectWatcher(peer, peer, ['/docs'])
  await app.call('resources.transfer', {
    path: '/docs/a.txt',
    query: { action: 'rename', destination: '/docs/b.txt' },
    headers: { 'x-origin': 'tab-1' },
  })
  await expect.poll(() => seen.map(({ kind }) => kind)).toContain('moved')
  expect(seen.find(({ kind }) => kind === 'moved')).toMatchObject({
    path: '/docs/a.txt',
    to: '/docs/b.txt',
    row: ['b.txt', 1, expect.any(Number), 'text', 0],
    origin: 'tab-1',
  })
  expect(seen.filter(({ kind }) => kind === 'removed' || kind === 'created')).toEqual([])
  socket.close()
})

test('changes at both servers arrive at the clients of both', async () => {
  const app = await startApp({ files: { docs: {} } })
  const peer = await app.startPeer()
  const clients = [await connectWatcher(app, app, ['/docs']), await connectWatcher(peer, peer, ['/docs'])]
  const names = Array.from({ length: 20 }, (_, n) => `/docs/${n}.txt`)
  for (const [n, path] of names.entries())
    await (n % 2 === 0 ? app : peer).call('resources.create', { path, body: 'x' })
  for (const { seen, socket } of clients) {
    await expect.poll(() => names.filter((name) => !seen.some(({ path }) => path === name))).toEqual([])
    socket.close()
  }
})

test('a folder that one server sends from memory shows what another server has changed', async () => {
  const files = Object.fromEntries(Array.from({ length: 1200 }, (_, n) => [`${n}.txt`, '']))
  const app = await startApp({ files: { large: files } })
  const peer = await app.startPeer()
  const client = await connectWatcher(peer, peer, ['/large'])
  await startOfWatch(client, '/large')
  const listing = async () => (await peer.call('resources.get', { path: '/large/' })).text()
  for (let n = 0; n < 20; n += 1) {
    await listing()
    const path = `/large/${n}.txt`
    const destination = `/large/new-${n}.txt`
    expect(
      (await app.call('resources.transfer', { path, query: { action: 'rename', destination } })).status,
    ).toBe(200)
    expect(await listing()).toContain(`"new-${n}.txt"`)
  }
  client.socket.close()
})

test('a session that is ended at one server closes its sockets at another one within five seconds', async () => {
  const app = await startApp({ files: { docs: {} } })
  const peer = await app.startPeer()
  const { socket } = await connectWatcher(peer, peer, ['/docs'])
  const closed = once(socket, 'close', { signal: AbortSignal.timeout(5000) })
  expect((await app.call('sessions.logout')).status).toBe(200)
  await closed
})

test('a client at one server is told when another server changes the rights of its user', async () => {
  const app = await startApp({ files: { docs: {} } })
  const peer = await app.startPeer()
  const client = await connectWatcher(peer, peer, ['/docs'])
  await startOfWatch(client, '/docs')
  const rules = [{ regex: false, allow: false, path: '/docs/hidden.txt', regexp: null }]
  await app.records.users.update(app.user.id, { rules })
  await expect.poll(() => client.statuses).toContainEqual({ rights: 'changed' })
  await app.call('resources.create', { path: '/docs/shown.txt', body: 'x' })
  await expect.poll(() => JSON.stringify(client.seen)).toContain('shown.txt')
  client.socket.close()
})

// Servers of a database file store nothing for each other, and have no outbox.
test.runIf(inject('postgres') !== undefined)('a server without peers stores nothing for peers', async () => {
  const app = await startApp({ files: { docs: {} } })
  await app.call('resources.create', { path: '/docs/a.txt', body: 'A' })
  expect(await app.records.outbox?.lastNumbers()).toEqual(new Map())
})
