import { expect, test } from 'vitest'
import { fakeEventServer, fakeSocket } from '../../../test/kit/fake-event-server.ts'

test('the watches of a client that does not return within a minute are released', async () => {
  const { connect, watches, timers } = fakeEventServer()
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
  const { connect, watches } = fakeEventServer()
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
  const { connect } = fakeEventServer()
  const { socket, sent, listeners } = fakeSocket()
  connect(1, socket)
  listeners.message(JSON.stringify({ watch: [], resume: null }))
  await expect.poll(() => sent).toEqual([{ resume: 'token-1', isResumed: false }])
  listeners.message(JSON.stringify({ watch: [], resume: 'token-1', since: 0 }))
  await expect.poll(() => sent.slice(1)).toEqual([{ resume: 'token-1', isResumed: true }])
})

test('a socket that closes while its client returns leaves the client to its minute', async () => {
  const { connect, watches, timers } = fakeEventServer()
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
