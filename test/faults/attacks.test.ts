import { afterAll, beforeAll, expect, test } from 'vitest'
import { ann, runServer, type RunningServer } from '../kit/run-server.ts'
import {
  delay,
  openAttacker,
  measureAttack,
  closeAll,
  statusOf,
  type AttackerConnection,
  servingProcesses,
} from './measure-attack.ts'

/**
 * These tests attack the request and connection limits of a real server, which runs in its own process. The attacks
 * must not affect other clients.
 */
let server: RunningServer
beforeAll(async () => {
  server = await runServer({ people: [ann], flags: ['--auth.trustedProxies=192.0.2.1'] })
})
afterAll(() => server.remove())

const openConnection = (text = '') => openAttacker(server.port, text)

/** Sends a few bytes on each connection repeatedly for `durationMs`. */
async function sendSlowly(
  attackers: readonly AttackerConnection[],
  { text, durationMs }: { text: string; durationMs: number },
) {
  for (const startedAt = Date.now(); Date.now() - startedAt < durationMs; await delay(100))
    for (const { socket } of attackers) if (socket.writable) socket.write(text)
}

const patience = { timeout: 20_000, interval: 50 }

/** Returns the status of a login request with the given body. */
const login = (body: string): Promise<number> =>
  statusOf(server, { path: '/api/login', method: 'POST', body })

const slowestMsDuring = async (runAttack: () => Promise<void>): Promise<number> =>
  (await measureAttack(server, runAttack)).slowestMs

const maxMs = 1000

test.each([
  ['heads', 'GET / HTTP/1.1\r\nHost: h\r\n', 'X-A: b\r\n'],
  ['bodies', 'POST /api/login HTTP/1.1\r\nHost: h\r\nContent-Length: 10000\r\n\r\n', 'x'],
])('request %s that never end', async (_case, head, text) => {
  const attackers = Array.from({ length: 80 }, () => openConnection(head))
  const runAttack = () => sendSlowly(attackers, { text, durationMs: 1500 }).finally(() => closeAll(attackers))
  expect(await slowestMsDuring(runAttack)).toBeLessThan(maxMs)
})

test('huge request heads are refused with 431', async () => {
  const text = `GET / HTTP/1.1\r\nHost: h\r\nX-Big: ${'a'.repeat(400_000)}\r\n\r\n`
  const attackers = Array.from({ length: 20 }, () => openConnection(text))
  const runAttack = async () => {
    await expect.poll(() => attackers.every(({ isClosed }) => isClosed()), patience).toBe(true)
  }
  expect(await slowestMsDuring(runAttack)).toBeLessThan(maxMs)
  expect(attackers.map(({ receivedText }) => receivedText().slice(0, 12))).toEqual(
    attackers.map(() => 'HTTP/1.1 431'),
  )
})

test('connections of one address beyond a hundred are closed', async () => {
  const attackers = Array.from({ length: 300 }, () => openConnection())
  const countOpen = () => attackers.filter(({ isClosed }) => !isClosed()).length
  const runAttack = async () => {
    await expect.poll(countOpen, patience).toBe(100 * servingProcesses)
  }
  expect(await slowestMsDuring(runAttack).finally(() => closeAll(attackers))).toBeLessThan(maxMs)
})

test.each([
  ['deeply nested', 403, '['.repeat(8000)],
  ['deeply nested and complete', 403, '['.repeat(8000) + ']'.repeat(8000)],
  ['huge', 413, `"${'x'.repeat(4 * 1024 * 1024)}"`],
])('%s JSON is refused with %i', async (_case, status, body) => {
  const statuses: number[] = []
  const runAttack = async () => {
    statuses.push(...(await Promise.all(Array.from({ length: 20 }, () => login(body)))))
  }
  expect(await slowestMsDuring(runAttack)).toBeLessThan(maxMs)
  expect(new Set(statuses)).toEqual(new Set([status]))
})

test('of hundreds of wrong logins all after the first five get 429, and other clients can log in', async () => {
  const wrong = JSON.stringify({ username: ann.name, password: 'not the password' })
  const statuses: number[] = []
  const runAttack = async () => {
    for (let round = 0; round < 4; round += 1)
      statuses.push(...(await Promise.all(Array.from({ length: 50 }, () => login(wrong)))))
  }
  expect(await slowestMsDuring(runAttack)).toBeLessThan(maxMs)
  expect(new Set(statuses)).toEqual(new Set([403, 429]))
  const checked = statuses.filter((status) => status === 403).length
  expect(checked).toBeGreaterThanOrEqual(5)
  // Processes that check passwords at the same moment do not know of each other (decision 141).
  expect(checked).toBeLessThanOrEqual(5 * servingProcesses)
  const body = JSON.stringify({ username: ann.name, password: ann.password })
  expect((await fetch(`${server.url}/api/login`, { method: 'POST', body })).status).toBe(200)
})
