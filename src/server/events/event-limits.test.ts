import { expect, test } from 'vitest'
import { causeOf } from '../../../test/kit/change-cause.ts'
import { fakeEventServer, fakeSocket } from '../../../test/kit/fake-event-server.ts'
import { pathOf } from '../../shared/domain/path.ts'
import type { StorageChange } from '../changes/change.ts'

const ann = 1
const bea = 2

const createdIn = (folder: string, name: string): StorageChange => ({
  id: 'one',
  kind: 'created',
  path: pathOf(`/${folder}/${name}`)!,
  userId: ann,
  username: 'ann',
  scope: pathOf('/')!,
  storedScope: '/',
  cause: causeOf('resources.create'),
  atMs: 0,
})

type EventServer = ReturnType<typeof fakeEventServer>

const isAnswer = (message: unknown): boolean => 'resume' in (message as object)

/** Returns the messages that announce a change. */
const changesOf = (sent: readonly unknown[]) => sent.filter((message) => 'id' in (message as object))

/** Connects a client that can return, and waits until its folders are watched. */
async function connectTo({ connect, watches }: EventServer, userId: number, watch: readonly string[] = []) {
  const client = fakeSocket()
  const before = watches.count()
  connect(userId, client.socket)
  client.listeners.message(JSON.stringify({ watch, resume: null }))
  await expect.poll(() => client.sent.some(isAnswer)).toBe(true)
  await expect.poll(() => watches.count()).toBe(before + watch.length)
  return client
}

/** Returns true when the client with this token can continue where its connection was lost. */
async function mayReturn({ connect }: EventServer, userId: number, token: string): Promise<boolean> {
  const client = fakeSocket()
  connect(userId, client.socket)
  client.listeners.message(JSON.stringify({ watch: [], resume: token, since: 0 }))
  await expect.poll(() => client.sent.some(isAnswer)).toBe(true)
  return (client.sent.find(isAnswer) as { isResumed: boolean }).isResumed
}

/** Lets everything run that does not wait for a timer. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

test('the clients that may return are limited for each user and in total', async () => {
  const server = fakeEventServer({ absentClientsPerUser: 2, absentClients: 3 })
  for (const userId of [ann, ann, bea, ann]) (await connectTo(server, userId, [])).listeners.close()
  await settled()
  const returning = async () =>
    Promise.all([1, 2, 3, 4].map((n) => mayReturn(server, n === 3 ? bea : ann, `token-${n}`)))
  expect(await returning()).toEqual([false, true, true, true])
  const other = fakeEventServer({ absentClients: 1 })
  for (const userId of [ann, bea]) (await connectTo(other, userId, [])).listeners.close()
  await settled()
  expect([await mayReturn(other, ann, 'token-1'), await mayReturn(other, bea, 'token-2')]).toEqual([
    false,
    true,
  ])
})

test('the folders of one client, of one user and of all clients are limited', async () => {
  const limits = { foldersPerClient: 3, foldersPerUser: 4, folders: 6 }
  const server = fakeEventServer(limits)
  const { watches } = server
  const first = await connectTo(server, ann, ['/a1', '/a2', '/a3'])
  const watch = (client: typeof first, folders: readonly string[]): void =>
    client.listeners.message(JSON.stringify({ watch: folders }))
  const second = await connectTo(server, ann)
  watch(second, ['/a4', '/a5'])
  await settled()
  expect(watches.count()).toBe(4)
  const others = await connectTo(server, bea)
  watch(others, ['/b1', '/b2', '/b3'])
  await settled()
  expect(watches.count()).toBe(6)
  watch(first, [])
  watch(second, ['/a4', '/a5'])
  watch(others, ['/b1', '/b2', '/b3'])
  await settled()
  expect(watches.count()).toBe(5)
  watch(first, ['/a1', '/a2', '/a3', '/a4'])
  await settled()
  // A message with too many folders closes the socket, and its client can return.
  expect(server.timers.filter(({ ms }) => ms === 60_000)).toHaveLength(1)
})

test('the stored messages of one client and of all clients are limited', async () => {
  const one = fakeEventServer({ storedMessages: 3 })
  const size = JSON.stringify({ id: 1, kind: 'created', path: '/a/n1', origin: null }).length
  const sized = fakeEventServer({ storedCharactersPerClient: size * 10 })
  const all = fakeEventServer({ storedCharacters: size * 10 })
  for (const server of [one, sized, all]) {
    const client = await connectTo(server, ann, ['/a'])
    for (let n = 1; n <= 3; n += 1) server.announce(createdIn('a', `n${n}`))
    await expect.poll(() => changesOf(client.sent)).toHaveLength(3)
    client.listeners.close()
    await settled()
    expect(await mayReturn(server, ann, 'token-1')).toBe(true)
  }
  const [late, lateSized, lateAll] = await Promise.all(
    [one, sized, all].map((server) => connectTo(server, bea, ['/b'])),
  )
  for (const server of [one, sized, all])
    for (let n = 1; n <= 60; n += 1) server.announce(createdIn('b', `n${n}`))
  for (const client of [late, lateSized, lateAll]) {
    await expect.poll(() => changesOf(client!.sent)).toHaveLength(60)
    client!.listeners.close()
  }
  await settled()
  for (const server of [one, sized, all]) expect(await mayReturn(server, bea, 'token-2')).toBe(false)
})

test('a client that does not read is disconnected, and earlier when all clients together do not', async () => {
  const server = fakeEventServer({ unreadBytesPerClient: 1600, unreadBytes: 3000 })
  const clients = [
    await connectTo(server, ann, ['/a']),
    await connectTo(server, ann, ['/b']),
    await connectTo(server, bea, ['/c']),
  ]
  const tell = async (folder: string): Promise<void> => {
    server.announce(createdIn(folder, 'x'))
    await settled()
  }
  const [first, second, third] = clients as [(typeof clients)[0], (typeof clients)[0], (typeof clients)[0]]
  first.state.waitingBytes = 1600
  await tell('a')
  expect(changesOf(first.sent)).toHaveLength(1)
  first.state.waitingBytes = 1601
  await tell('a')
  expect(changesOf(first.sent)).toHaveLength(1)
  second.state.waitingBytes = 1500
  third.state.waitingBytes = 1500
  await tell('b')
  expect(changesOf(second.sent)).toHaveLength(1)
  third.state.waitingBytes = 1501
  await tell('c')
  expect(changesOf(third.sent)).toHaveLength(0)
})

test('the work for the clients of one user is limited', async () => {
  const server = fakeEventServer({ concurrentWork: 3 })
  const clients = await Promise.all(Array.from({ length: 10 }, () => connectTo(server, ann)))
  for (const [n, { listeners }] of clients.entries())
    listeners.message(JSON.stringify({ watch: Array.from({ length: 20 }, (_, at) => `/${n}-${at}`) }))
  await expect.poll(() => server.watches.count()).toBe(200)
  expect(server.running.most).toBe(3)
})

test('later messages replace earlier ones, and a client with too many changes reads its folders again', async () => {
  const server = fakeEventServer()
  const client = await connectTo(server, ann, ['/a', '/b'])
  for (let n = 0; n < 500; n += 1)
    client.listeners.message(JSON.stringify({ watch: [`/new${n}`, '/a', '/b'], resume: null }))
  await expect.poll(() => server.watches.count()).toBe(3)
  // The messages that arrived together were answered as one.
  expect(client.sent.filter(isAnswer)).toHaveLength(2)
  for (let n = 0; n < 500; n += 1) server.announce(createdIn('a', `f${n}`))
  const last = { kind: 'created', path: '/a/f499' }
  await expect.poll(() => changesOf(client.sent).at(-1)).toMatchObject(last)
  const changes = changesOf(client.sent) as { kind: string; path: string }[]
  expect(changes.length).toBeLessThan(250)
  const reloads = changes.filter(({ kind }) => kind === 'reload').map(({ path }) => path)
  expect(reloads.toSorted()).toEqual(['/a', '/b', '/new499'])
})
