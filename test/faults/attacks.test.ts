import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ann, runServer, type RunningServer } from '../kit/run-server.ts'

/** The limits of requests and connections, on a real server in its own process; whoever is not attacking notices nothing. */
let server: RunningServer
beforeAll(async () => {
  server = await runServer({ people: [ann], flags: ['--auth.trustedProxies=192.0.2.1'] })
})
afterAll(() => server.remove())

/** Attackers have another address than those who ask whether all is well. */
const elsewhere = '127.0.0.2'

/** How long the slowest `/health` took while an attack went on and just after it. */
async function slowestMsDuring(attack: () => Promise<void>): Promise<number> {
  const state = { slowestMs: 0, isOver: false }
  const ask = async () => {
    const startedAt = performance.now()
    const reply = await fetch(`${server.url}/health`, { signal: AbortSignal.timeout(10_000) })
    await reply.arrayBuffer()
    state.slowestMs = Math.max(state.slowestMs, performance.now() - startedAt)
  }
  const asking = (async () => {
    for (; !state.isOver; await after(20)) await ask()
    await ask()
  })()
  const attacking = attack().finally(() => (state.isOver = true))
  const [attacked] = await Promise.allSettled([attacking, asking])
  if (attacked.status === 'rejected') throw attacked.reason
  await asking
  return state.slowestMs
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

type Attacker = { readonly socket: Socket; readonly heard: () => string; readonly isGone: () => boolean }

function attacker(text = ''): Attacker {
  let heard = ''
  let isGone = false
  const socket = connect({ port: server.port, host: '127.0.0.1', localAddress: elsewhere })
  socket.setEncoding('latin1').on('data', (chunk: string) => (heard += chunk))
  socket.on('error', () => undefined).once('close', () => (isGone = true))
  if (text !== '') socket.write(text)
  return { socket, heard: () => heard, isGone: () => isGone }
}

/** Everybody sends a little, again and again. */
async function dribble(attackers: readonly Attacker[], { text, forMs }: { text: string; forMs: number }) {
  for (const startedAt = Date.now(); Date.now() - startedAt < forMs; await after(100))
    for (const { socket } of attackers) if (socket.writable) socket.write(text)
}

const patience = { timeout: 20_000, interval: 50 }

const endAll = (attackers: readonly Attacker[]): void => attackers.forEach(({ socket }) => socket.destroy())

/** Status of a login with a body of somebody's own making. */
const login = (body: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request(
      `${server.url}/api/login`,
      { method: 'POST', localAddress: elsewhere, headers: { 'content-length': Buffer.byteLength(body) } },
      (answer) => answer.resume().once('end', () => resolve(answer.statusCode ?? 0)),
    )
    asked.once('error', reject).end(body)
  })

const mostMs = 1000

test.each([
  ['heads', 'GET / HTTP/1.1\r\nHost: h\r\n', 'X-A: b\r\n'],
  ['bodies', 'POST /api/login HTTP/1.1\r\nHost: h\r\nContent-Length: 10000\r\n\r\n', 'x'],
])('%s that never end', async (_case, head, text) => {
  const attackers = Array.from({ length: 80 }, () => attacker(head))
  const attack = () => dribble(attackers, { text, forMs: 1500 }).finally(() => endAll(attackers))
  expect(await slowestMsDuring(attack)).toBeLessThan(mostMs)
})

test('heads that are huge: 431', async () => {
  const text = `GET / HTTP/1.1\r\nHost: h\r\nX-Big: ${'a'.repeat(400_000)}\r\n\r\n`
  const attackers = Array.from({ length: 20 }, () => attacker(text))
  const attack = async () => {
    await expect.poll(() => attackers.every(({ isGone }) => isGone()), patience).toBe(true)
  }
  expect(await slowestMsDuring(attack)).toBeLessThan(mostMs)
  expect(attackers.map(({ heard }) => heard().slice(0, 12))).toEqual(attackers.map(() => 'HTTP/1.1 431'))
})

test('more connections than one address may have: those beyond a hundred are closed', async () => {
  const attackers = Array.from({ length: 300 }, () => attacker())
  const attack = async () => {
    await expect.poll(() => attackers.filter(({ isGone }) => !isGone()).length, patience).toBe(100)
  }
  expect(await slowestMsDuring(attack).finally(() => endAll(attackers))).toBeLessThan(mostMs)
})

test.each([
  ['deep', 403, '['.repeat(8000)],
  ['deep and closed', 403, '['.repeat(8000) + ']'.repeat(8000)],
  ['huge', 413, `"${'x'.repeat(4 * 1024 * 1024)}"`],
])('JSON that is %s: %i', async (_case, status, body) => {
  const statuses: number[] = []
  const attack = async () => {
    statuses.push(...(await Promise.all(Array.from({ length: 20 }, () => login(body)))))
  }
  expect(await slowestMsDuring(attack)).toBeLessThan(mostMs)
  expect(new Set(statuses)).toEqual(new Set([status]))
})

test('wrong logins by the hundred: 429 after the first five, and others log in', async () => {
  const wrong = JSON.stringify({ username: ann.name, password: 'not the password' })
  const statuses: number[] = []
  const attack = async () => {
    for (let round = 0; round < 4; round += 1)
      statuses.push(...(await Promise.all(Array.from({ length: 50 }, () => login(wrong)))))
  }
  expect(await slowestMsDuring(attack)).toBeLessThan(mostMs)
  expect(new Set(statuses)).toEqual(new Set([403, 429]))
  expect(statuses.filter((status) => status === 403)).toHaveLength(5)
  const body = JSON.stringify({ username: ann.name, password: ann.password })
  expect((await fetch(`${server.url}/api/login`, { method: 'POST', body })).status).toBe(200)
})
