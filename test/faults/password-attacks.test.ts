import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ann, bea, runServer } from '../kit/run-server.ts'
import { crowd, expectUnfelt, mebi, storm, targetOf, type Attack, type AttackTarget } from './attack.ts'
import type { AttackRequest } from './siege.ts'

/**
 * Attacks with passwords by guests and other clients without a login. Hashing each password needs memory and time. The
 * attacks must not affect other clients.
 */
let target: AttackTarget
let share = ''

beforeAll(async () => {
  const files = { 'a.txt': 'A', docs: {}, shared: {} }
  const flags = ['--auth.trustedProxies=192.0.2.1']
  target = await targetOf(await runServer({ people: [ann, bea], files, flags, init: ['--signup'] }))
  const reply = await fetch(`${target.server.url}/api/share/shared`, {
    method: 'POST',
    headers: { 'x-auth': target.token },
    body: JSON.stringify({ password: 'for guests', expires: '', unit: 'hours' }),
  })
  share = ((await reply.json()) as { hash: string }).hash
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
  path: `/api/public/share/${share}`,
  headers: { 'x-auth': '', 'x-share-password': `%41 wrong ${n}` },
})

/** Calls `wave` for batches of a hundred requests, because each address may have at most a hundred connections. */
async function inWaves(count: number, wave: (n: number) => Promise<number[]>): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < count; n += 1) statuses.push(...(await wave(n)))
  return statuses
}

const attacks: readonly Attack[] = [
  {
    name: 'passwords to be hashed from many addresses',
    statuses: [403, 429, 503],
    attack: (target) => crowd(target, 120, (n) => login(`name ${n}`, 'x'.repeat(1024))),
  },
  {
    name: 'passwords too long to be hashed',
    statuses: [403, 429],
    attack: (target) => storm(target, 60, () => login('nobody', 'x'.repeat(16_000))),
  },
  {
    name: 'signups by the hundred from one address',
    statuses: [200, 429],
    attack: (target) => inWaves(4, (wave) => storm(target, 75, (n) => signup(`one ${wave} ${n}`))),
  },
  {
    name: 'signups by the hundred from many addresses',
    statuses: [200, 503],
    attack: (target) => crowd(target, 300, (n) => signup(`many ${n}`)),
  },
  {
    name: 'signups with one name from many addresses',
    statuses: [200, 409, 503],
    attack: (target) => crowd(target, 300, () => signup('wanted by all')),
  },
  {
    name: 'wrong passwords of a share by the hundred from one address',
    statuses: [401, 429],
    attack: (target) => inWaves(4, () => storm(target, 75, guess)),
  },
  {
    name: 'wrong passwords of a share by the hundred from many addresses',
    statuses: [401, 429, 503],
    attack: (target) => crowd(target, 300, guess),
  },
]

test.each(attacks)('$name', (attack) => expectUnfelt(target, attack))

/**
 * Each hash needs 19 MiB. In an earlier version, all 64 threads of Node computed hashes, and their memory of 800 MB was
 * not released.
 */
test('hashes leave no more memory behind than their two threads have', async () => {
  await crowd(target, 120, (n) => login(`other ${n}`, 'wrong'))
  const status = readFileSync(`/proc/${target.server.pid()}/status`, 'utf8')
  expect(Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]) * 1024).toBeLessThan(400 * mebi)
})
