import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { ChangeMessage } from '../../shared/contract/events.ts'
import { startApp, type TestApp, type SignedInUser } from '../../../test/kit/start-app.ts'

type WatchingClient = {
  readonly socket: WebSocket
  readonly next: () => Promise<ChangeMessage>
  readonly seen: ChangeMessage[]
}

/** Connects a client that watches folders and collects the messages as they arrive. */
async function connectWatcher(
  app: TestApp,
  person: SignedInUser,
  folders: readonly string[],
): Promise<WatchingClient> {
  const socket = new WebSocket(`${app.url.replace('http', 'ws')}/api/events`, {
    headers: { 'x-auth': person.token },
  })
  const seen: ChangeMessage[] = []
  const waiting: ((message: ChangeMessage) => void)[] = []
  let taken = 0
  socket.on('message', (text: Buffer) => {
    seen.push(JSON.parse(text.toString()) as ChangeMessage)
    if (waiting.length > 0) waiting.shift()?.(seen[(taken += 1) - 1]!)
  })
  await once(socket, 'open')
  socket.send(JSON.stringify({ watch: folders }))
  const next = () =>
    new Promise<ChangeMessage>((resolve) => {
      if (taken < seen.length) resolve(seen[(taken += 1) - 1]!)
      else waiting.push(resolve)
    })
  // The response to a ping proves that the server has read the message before it.
  socket.ping()
  await once(socket, 'pong')
  return { socket, next, seen }
}

test('a client that watches a folder receives its changes with the origin of the client that made them', async () => {
  const app = await startApp({ files: { docs: {}, other: {} } })
  const { next, socket } = await connectWatcher(app, app, ['/docs'])
  const headers = { 'x-origin': 'tab-1' }
  await app.call('resources.create', { path: '/other/x.txt', body: 'X' })
  await app.call('resources.create', { path: '/docs/a.txt', body: 'A', headers })
  expect(await next()).toEqual({ id: 1, kind: 'created', path: '/docs/a.txt', origin: 'tab-1' })
  await app.call('resources.create', { path: '/docs/a.txt', body: 'B', query: { override: 'true' } })
  expect(await next()).toEqual({ id: 2, kind: 'written', path: '/docs/a.txt', origin: null })
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
  await bea.call('resources.create', { path: '/docs/b.txt', body: 'B' })
  expect((await annLooks.next()).path).toBe('/people/bea/docs/b.txt')
  await app.call('resources.create', { path: '/people/bea/docs/a.txt', body: 'A' })
  expect([(await beaLooks.next()).path, (await beaLooks.next()).path]).toEqual(['/docs/b.txt', '/docs/a.txt'])
  await app.call('resources.transfer', {
    path: '/people/bea/docs/a.txt',
    query: { action: 'rename', destination: '/a.txt' },
  })
  expect(await beaLooks.next()).toMatchObject({ kind: 'removed', path: '/docs/a.txt' })
  annLooks.socket.close()
  beaLooks.socket.close()
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
