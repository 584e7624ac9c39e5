import { afterAll, beforeAll, expect, test } from 'vitest'
import { ann, runServer, type RunningServer } from '../kit/run-server.ts'
import { after, attacker, besiege, endAll, statusOf, type Attacker } from './siege.ts'

/**
 * Attacks on the limits of requests and connections of a real server in its own process. The attacks must not affect
 * other clients.
 */
let server: RunningServer
beforeAll(async () => {
  server = await runServer({ people: [ann], flags: ['--auth.trustedProxies=192.0.2.1'] })
})
afterAll(() => server.remove())

const attack = (text = '') => attacker(server.port, text)

/** Sends a few bytes on each connection repeatedly for `forMs`. */
async function dribble(attackers: readonly Attacker[], { text, forMs }: { text: string; forMs: number }) {
  for (const startedAt = Date.now(); Date.now() - startedAt < forMs; await after(100))
    for (const { socket } of attackers) if (socket.writable) socket.write(text)
}

const patience = { timeout: 20_000, interval: 50 }

/** Returns the status of a login request with the given body. */
const login = (body: string): Promise<number> =>
  statusOf(server, { path: '/api/login', method: 'POST', body })

const slowestMsDuring = async (assault: () => Promise<void>): Promise<number> =>
  (await besiege(server, assault)).slowestMs

const mostMs = 1000

test.each([
  ['heads', 'GET / HTTP/1.1\r\nHost: h\r\n', 'X-A: b\r\n'],
  ['bodies', 'POST /api/login HTTP/1.1\r\nHost: h\r\nContent-Length: 10000\r\n\r\n', 'x'],
])('%s that never end', async (_case, head, text) => {
  const attackers = Array.from({ length: 80 }, () => attack(head))
  const assault = () => dribble(attackers, { text, forMs: 1500 }).finally(() => endAll(attackers))
  expect(await slowestMsDuring(assault)).toBeLessThan(mostMs)
})

test('heads that are huge: 431', async () => {
  const text = `GET / HTTP/1.1\r\nHost: h\r\nX-Big: ${'a'.repeat(400_000)}\r\n\r\n`
  const attackers = Array.from({ length: 20 }, () => attack(text))
  const assault = async () => {
    await expect.poll(() => attackers.every(({ isGone }) => isGone()), patience).toBe(true)
  }
  expect(await slowestMsDuring(assault)).toBeLessThan(mostMs)
  expect(attackers.map(({ heard }) => heard().slice(0, 12))).toEqual(attackers.map(() => 'HTTP/1.1 431'))
})

test('more connections than one address may have: those beyond a hundred are closed', async () => {
  const attackers = Array.from({ length: 300 }, () => attack())
  const assault = async () => {
    await expect.poll(() => attackers.filter(({ isGone }) => !isGone()).length, patience).toBe(100)
  }
  expect(await slowestMsDuring(assault).finally(() => endAll(attackers))).toBeLessThan(mostMs)
})

test.each([
  ['deep', 403, '['.repeat(8000)],
  ['deep and closed', 403, '['.repeat(8000) + ']'.repeat(8000)],
  ['huge', 413, `"${'x'.repeat(4 * 1024 * 1024)}"`],
])('JSON that is %s: %i', async (_case, status, body) => {
  const statuses: number[] = []
  const assault = async () => {
    statuses.push(...(await Promise.all(Array.from({ length: 20 }, () => login(body)))))
  }
  expect(await slowestMsDuring(assault)).toBeLessThan(mostMs)
  expect(new Set(statuses)).toEqual(new Set([status]))
})

test('wrong logins by the hundred: 429 after the first five, and others log in', async () => {
  const wrong = JSON.stringify({ username: ann.name, password: 'not the password' })
  const statuses: number[] = []
  const assault = async () => {
    for (let round = 0; round < 4; round += 1)
      statuses.push(...(await Promise.all(Array.from({ length: 50 }, () => login(wrong)))))
  }
  expect(await slowestMsDuring(assault)).toBeLessThan(mostMs)
  expect(new Set(statuses)).toEqual(new Set([403, 429]))
  expect(statuses.filter((status) => status === 403)).toHaveLength(5)
  const body = JSON.stringify({ username: ann.name, password: ann.password })
  expect((await fetch(`${server.url}/api/login`, { method: 'POST', body })).status).toBe(200)
})
