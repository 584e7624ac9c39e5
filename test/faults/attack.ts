import { expect } from 'vitest'
import { ann, bea, type Person, type RunningServer } from '../kit/run-server.ts'
import { after, attacker, besiege, endAll, statusOf, type Attacker, type AttackRequest } from './siege.ts'

export const mebi = 1024 * 1024

/** A server that is attacked by Ann or by clients without a login, while Bea continues to use it. */
export type AttackTarget = {
  readonly server: RunningServer
  readonly token: string
  readonly beaToken: string
}

export async function targetOf(server: RunningServer): Promise<AttackTarget> {
  return { server, token: await tokenOf(server, ann), beaToken: await tokenOf(server, bea) }
}

export async function tokenOf(server: RunningServer, { name, password }: Person): Promise<string> {
  const body = JSON.stringify({ username: name, password })
  const reply = await fetch(`${server.url}/api/login`, { method: 'POST', body })
  expect(reply.status).toBe(200)
  return reply.text()
}

type TokenPayload = { readonly user: { readonly id: number } }

export const idOf = (token: string): number =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as TokenPayload).user.id

/** Sends a request as Ann and returns its status. */
export const ask = ({ server, token }: AttackTarget, call: AttackRequest): Promise<number> =>
  statusOf(server, { ...call, headers: { 'x-auth': token, ...call.headers } })

/** Sends `count` concurrent requests as Ann and returns their statuses. */
export const storm = (
  target: AttackTarget,
  count: number,
  call: (n: number) => AttackRequest,
): Promise<number[]> => Promise.all(Array.from({ length: count }, async (_, n) => ask(target, call(n))))

/** Sends `count` concurrent requests without a login from a hundred different addresses, and returns their statuses. */
export const crowd = (
  { server }: AttackTarget,
  count: number,
  call: (n: number) => AttackRequest,
): Promise<number[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, n) =>
      statusOf(server, { ...call(n), from: `127.0.3.${1 + (n % 100)}` }),
    ),
  )

export const attackersOf = (
  { server }: AttackTarget,
  count: number,
  head: (n: number) => string,
): Attacker[] => Array.from({ length: count }, (_, n) => attacker(server.port, head(n)))

/** Returns the head of a request with Ann's token. */
export const headed = ({ token }: AttackTarget, line: string, more = ''): string =>
  `${line} HTTP/1.1\r\nHost: h\r\nX-Auth: ${token}\r\n${more}\r\n`

export type AbandonedRequests = { readonly line: string; readonly count: number; readonly forMs: number }

/**
 * Opens connections that send a request and close after `forMs` without reading the response. Returns the statuses that
 * arrived.
 */
export async function askAndLeave(
  target: AttackTarget,
  { line, count, forMs }: AbandonedRequests,
): Promise<number[]> {
  const attackers = attackersOf(target, count, () => headed(target, line))
  for (const { socket } of attackers) socket.once('data', () => socket.pause())
  await after(forMs)
  endAll(attackers)
  return attackers.flatMap(({ heard }) => (heard() === '' ? [] : [Number(heard().split(' ')[1])]))
}

export type Attack = {
  readonly name: string
  /** Runs the attack and returns the statuses of the responses. */
  readonly attack: (target: AttackTarget) => Promise<readonly number[]>
  readonly statuses: readonly number[]
}

/**
 * Limits during an attack: an ordinary request takes at most one second, and the server uses at most 1.5 GiB of memory.
 */
export const mostMs = 1000
const mostPeakBytes = 1536 * mebi

/**
 * Asserts that requests to `/health` and Bea's requests are answered in time during an attack. Asserts that Ann's
 * requests are answered normally after the attack, because requests of disconnected clients must not block them.
 */
export async function expectUnfelt(
  target: AttackTarget,
  { attack, statuses }: Omit<Attack, 'name'>,
): Promise<void> {
  const answered: number[] = []
  const ordinary = { path: '/api/resources/docs', headers: { 'x-auth': target.beaToken } }
  const assault = async (): Promise<void> => void answered.push(...(await attack(target)))
  const siege = await besiege(target.server, assault, ordinary)
  expect(siege.slowestMs).toBeLessThan(mostMs)
  expect(siege.usualMs).toBeLessThan(mostMs)
  expect(siege.peakBytes).toBeLessThan(mostPeakBytes)
  expect([...new Set(answered)].filter((status) => !statuses.includes(status))).toEqual([])
  for (const path of ['/api/raw/a.txt', '/api/resources/a.txt?checksum=md5', '/api/raw/docs?algo=tar'])
    expect([path, await ask(target, { path })]).toEqual([path, 200])
}
