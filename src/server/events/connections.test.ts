import { expect, test } from 'vitest'
import { pathOf } from '../../shared/domain/path.ts'
import { createKeyedLimiter } from '../concurrency/keyed-limiter.ts'
import type { ClientSocket } from '../http/socket-route.ts'
import type { FolderWatcher } from '../storage/folder-watcher.ts'
import type { Storage } from '../storage/port.ts'
import { createConnections } from './connections.ts'
import { eventLimits } from './event-limits.ts'
import { createFolderWatches } from './folder-watches.ts'

/** A socket whose messages and end come from the test. */
function fakeSocket() {
  const sent: unknown[] = []
  const listeners = { message: (_text: string): void => {}, close: (): void => {} }
  const socket: ClientSocket = {
    send: (text) => void sent.push(JSON.parse(text)),
    deliver: async () => {},
    onMessage: (listener) => void (listeners.message = listener),
    onClose: (listener) => void (listeners.close = listener),
    close: () => listeners.close(),
    waitingBytes: () => 0,
  }
  return { socket, sent, listeners }
}

const localFolder = async (path: string) => ({
  realPath: `/srv${path}`,
  dev: 1n,
  ino: BigInt(path.length),
  ownNames: [],
})

function fakeServer() {
  const timers: { readonly ms: number; readonly run: () => void }[] = []
  const later = (ms: number, run: () => void) => {
    const timer = { ms, run }
    timers.push(timer)
    return () => void (timers.includes(timer) && timers.splice(timers.indexOf(timer), 1))
  }
  const watcher: FolderWatcher = {
    watch: () => ({ stop: () => {}, version: async () => null }),
    close: async () => {},
  }
  const watches = createFolderWatches({ watcher, later })
  let tokens = 0
  const connect = createConnections({
    subscribe: () => () => {},
    accessOf: async () => ({
      key: 'same',
      scope: pathOf('/')!,
      storage: { localFolder } as unknown as Storage,
    }),
    accessKeyOf: async () => 'same',
    watches,
    typeOf: async () => 'text',
    later,
    watchRights: () => () => {},
    limits: eventLimits,
    limiter: createKeyedLimiter({ maxConcurrent: 8 }),
    newToken: () => `token-${(tokens += 1)}`,
    onFault: (error) => {
      throw error
    },
  })
  return { connect, watches, timers }
}

test('the watches of a client that does not return within a minute are released', async () => {
  const { connect, watches, timers } = fakeServer()
  const { socket, listeners } = fakeSocket()
  connect(1, socket)
  listeners.message(JSON.stringify({ watch: ['/a', '/bc'], resume: null }))
  await expect.poll(() => watches.count()).toBe(2)
  listeners.close()
  const findExpiry = () => timers.find(({ ms }) => ms === 60_000)
  await expect.poll(findExpiry).toBeDefined()
  expect(watches.count()).toBe(2)
  findExpiry()!.run()
  expect([watches.count(), timers]).toEqual([0, []])
})

test('a late message of a connection that was replaced changes nothing', async () => {
  const { connect, watches } = fakeServer()
  const [old, next] = [fakeSocket(), fakeSocket()]
  connect(1, old.socket)
  old.listeners.message(JSON.stringify({ watch: ['/a'], resume: null }))
  await expect.poll(() => old.sent).toHaveLength(1)
  connect(1, next.socket)
  next.listeners.message(JSON.stringify({ watch: ['/b', '/cc'], resume: 'token-1', since: 0 }))
  await expect.poll(() => watches.count()).toBe(2)
  old.listeners.message(JSON.stringify({ watch: ['/a'], resume: 'token-1', since: 0 }))
  // The message is handled in a few steps of the event loop, and is not answered.
  for (let step = 0; step < 20; step += 1) await new Promise((resolve) => setImmediate(resolve))
  expect([old.sent.length, watches.count()]).toEqual([1, 2])
})

test('a client that checks its connection gets an answer', async () => {
  const { connect } = fakeServer()
  const { socket, sent, listeners } = fakeSocket()
  connect(1, socket)
  listeners.message(JSON.stringify({ watch: [], resume: null }))
  await expect.poll(() => sent).toEqual([{ resume: 'token-1', isResumed: false }])
  listeners.message(JSON.stringify({ watch: [], resume: 'token-1', since: 0 }))
  await expect.poll(() => sent.slice(1)).toEqual([{ resume: 'token-1', isResumed: true }])
})

test('a socket that closes while its client returns leaves the client to its minute', async () => {
  const { connect, watches, timers } = fakeServer()
  const first = fakeSocket()
  connect(1, first.socket)
  first.listeners.message(JSON.stringify({ watch: ['/a'], resume: null }))
  await expect.poll(() => first.sent).toEqual([{ resume: 'token-1', isResumed: false }])
  first.listeners.close()
  await expect.poll(() => timers.some(({ ms }) => ms === 60_000)).toBe(true)
  const second = fakeSocket()
  connect(1, second.socket)
  second.listeners.message(JSON.stringify({ watch: ['/a'], resume: 'token-1', since: 0 }))
  second.listeners.close()
  await expect.poll(() => second.sent).toEqual([{ resume: 'token-1', isResumed: true }])
  await expect.poll(() => timers.filter(({ ms }) => ms === 60_000).length).toBe(1)
  timers.find(({ ms }) => ms === 60_000)!.run()
  expect([watches.count(), timers]).toEqual([0, []])
})
