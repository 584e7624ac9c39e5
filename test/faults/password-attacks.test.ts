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
 * Attacks with passwords by guests and other clients without a login. Hashing each password needs memory and time. The
 * attacks must not affect other clients.
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

const guess = (n: number): AttackRequest => ({
  path: `/api/public/share/${shareHash}`,
  headers: { 'x-auth': '', 'x-share-password': `%41 wrong ${n}` },
})

/** Calls `wave` for batches of a hundred requests, because each address may have at most a hundred connections. */
async function inWaves(count: number, wave: (n: number) => Promise<number[]>): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < count; n += 1) statuses.push(...(await wave(n)))
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
 * not released.
 */
test('hashing leaves no more memory behind than two threads need', async () => {
  await sendFromManyAddresses(target, 120, (n) => login(`other ${n}`, 'wrong'))
  const status = readFileSync(`/proc/${target.server.pid()}/status`, 'utf8')
  expect(Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]) * 1024).toBeLessThan(400 * mebi)
})
