import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ann, bea, runServer } from '../kit/run-server.ts'
import {
  sendFromManyAddresses,
  expectNoImpact,
  mebi,
  sendConcurrently,
  targetOf,
  type AttackScenario,
  type AttackTarget,
} from './attack.ts'
import type { AttackRequest } from './measure-attack.ts'

/**
 * These tests flood the server with password checks from clients that are not signed in. Each check costs memory and
 * processor time. Other clients must not be affected.
 */
let target: AttackTarget
let shareHash = ''

beforeAll(async () => {
  const files = { 'a.txt': 'A', docs: {}, shared: {} }
  const flags = ['--auth.trustedProxies=192.0.2.1']
  target = await targetOf(await runServer({ people: [ann, bea], files, flags, init: ['--signup'] }))
  const reply = await fetch(`${target.server.url}/api/share/shared`, {
    method: 'POST',
    headers: { 'x-auth': target.token },
    body: JSON.stringify({ password: 'for guests', expires: '', unit: 'hours' }),
  })
  shareHash = ((await reply.json()) as { hash: string }).hash
})
afterAll(() => target.server.remove())

const login = (username: string, password: string): AttackRequest => ({
  path: '/api/login',
  method: 'POST',
  body: JSON.stringify({ username, password }),
})

const signup = (username: string): AttackRequest => ({
  path: '/api/signup',
  method: 'POST',
  body: JSON.stringify({ username, password: 'a horse of another colour' }),
})

/** `%41` is a percent-encoded A: the server tries such a password both as sent and decoded. */
const guess = (n: number): AttackRequest => ({
  path: `/api/public/share/${shareHash}`,
  headers: { 'x-auth': '', 'x-share-password': `%41 wrong ${n}` },
})

/**
 * Calls `sendWave` once for each wave, one after the other. A wave has 75 requests, because an address may have at most
 * a hundred connections.
 */
async function inWaves(waves: number, sendWave: (wave: number) => Promise<number[]>): Promise<number[]> {
  const statuses: number[] = []
  for (let wave = 0; wave < waves; wave += 1) statuses.push(...(await sendWave(wave)))
  return statuses
}

const attacks: readonly AttackScenario[] = [
  {
    name: 'logins with long passwords from many addresses',
    statuses: [403, 429, 503],
    attack: (target) => sendFromManyAddresses(target, 120, (n) => login(`name ${n}`, 'x'.repeat(1024))),
  },
  {
    name: 'logins with passwords that are too long to be hashed',
    statuses: [403, 429],
    attack: (target) => sendConcurrently(target, 60, () => login('nobody', 'x'.repeat(16_000))),
  },
  {
    name: 'hundreds of signups from one address',
    statuses: [200, 429],
    attack: (target) => inWaves(4, (wave) => sendConcurrently(target, 75, (n) => signup(`one ${wave} ${n}`))),
  },
  {
    name: 'hundreds of signups from many addresses',
    statuses: [200, 503],
    attack: (target) => sendFromManyAddresses(target, 300, (n) => signup(`many ${n}`)),
  },
  {
    name: 'hundreds of signups with the same name from many addresses',
    statuses: [200, 409, 503],
    attack: (target) => sendFromManyAddresses(target, 300, () => signup('wanted by all')),
  },
  {
    name: 'hundreds of wrong passwords of a share from one address',
    statuses: [401, 429],
    attack: (target) => inWaves(4, () => sendConcurrently(target, 75, guess)),
  },
  {
    name: 'hundreds of wrong passwords of a share from many addresses',
    statuses: [401, 429, 503],
    attack: (target) => sendFromManyAddresses(target, 300, guess),
  },
]

test.each(attacks)('$name', (attack) => expectNoImpact(target, attack))

/**
 * Each hash needs 19 MiB. In an earlier version, all 64 threads of Node computed hashes, and their memory of 800 MB was
 * not released. After all attacks of this file, a server on a busy machine has used up to 411 MiB.
 */
test('120 logins leave the server below 600 MiB', async () => {
  await sendFromManyAddresses(target, 120, (n) => login(`other ${n}`, 'wrong'))
  const status = readFileSync(`/proc/${target.server.pid()}/status`, 'utf8')
  expect(Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]) * 1024).toBeLessThan(600 * mebi)
})
