import { expect } from 'vitest'
import { ann, bea, type TestUser, type RunningServer } from '../kit/run-server.ts'
import {
  delay,
  openAttacker,
  measureAttack,
  closeAll,
  statusOf,
  type AttackerConnection,
  type AttackRequest,
} from './measure-attack.ts'

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

export async function tokenOf(server: RunningServer, { name, password }: TestUser): Promise<string> {
  const body = JSON.stringify({ username: name, password })
  const response = await fetch(`${server.url}/api/login`, { method: 'POST', body })
  expect(response.status).toBe(200)
  return response.text()
}

type TokenPayload = { readonly user: { readonly id: number } }

export const idOf = (token: string): number =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as TokenPayload).user.id

/** Sends a request as Ann and returns the status of the response. */
export const sendAsAnn = ({ server, token }: AttackTarget, call: AttackRequest): Promise<number> =>
  statusOf(server, { ...call, headers: { 'x-auth': token, ...call.headers } })

/** Sends `count` concurrent requests as Ann and returns the statuses of the responses. */
export const sendConcurrently = (
  target: AttackTarget,
  count: number,
  call: (n: number) => AttackRequest,
): Promise<number[]> => Promise.all(Array.from({ length: count }, async (_, n) => sendAsAnn(target, call(n))))

/**
 * Sends `count` concurrent requests without a login from a hundred different addresses. Returns the statuses of the
 * responses.
 */
export const sendFromManyAddresses = (
  { server }: AttackTarget,
  count: number,
  call: (n: number) => AttackRequest,
): Promise<number[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, n) =>
      statusOf(server, { ...call(n), from: `127.0.3.${1 + (n % 100)}` }),
    ),
  )

export const openAttackers = (
  { server }: AttackTarget,
  count: number,
  head: (n: number) => string,
): AttackerConnection[] => Array.from({ length: count }, (_, n) => openAttacker(server.port, head(n)))

/** Returns the head of a request with Ann's token. */
export const requestHead = ({ token }: AttackTarget, line: string, more = ''): string =>
  `${line} HTTP/1.1\r\nHost: h\r\nX-Auth: ${token}\r\n${more}\r\n`

export type AbandonedRequests = { readonly line: string; readonly count: number; readonly durationMs: number }

/**
 * Opens connections, sends a request on each of them, and closes them after `durationMs` without reading the complete
 * responses. Returns the statuses that arrived.
 */
export async function sendAndDisconnect(
  target: AttackTarget,
  { line, count, durationMs }: AbandonedRequests,
): Promise<number[]> {
  const attackers = openAttackers(target, count, () => requestHead(target, line))
  for (const { socket } of attackers) socket.once('data', () => socket.pause())
  await delay(durationMs)
  closeAll(attackers)
  return attackers.flatMap(({ receivedText }) =>
    receivedText() === '' ? [] : [Number(receivedText().split(' ')[1])],
  )
}

export type AttackScenario = {
  readonly name: string
  /** Runs the attack and returns the statuses of the responses. */
  readonly attack: (target: AttackTarget) => Promise<readonly number[]>
  readonly statuses: readonly number[]
}

/**
 * The limits that must hold during an attack: an ordinary request takes at most one second, and the server uses at most
 * 1.5 GiB of memory.
 */
export const maxMs = 1000
const maxPeakBytes = 1536 * mebi

/**
 * Asserts that requests to `/health` and Bea's requests get their responses in time during an attack. Asserts that
 * Ann's requests succeed after the attack, because requests of disconnected clients must not block them.
 */
export async function expectNoImpact(
  target: AttackTarget,
  { attack, statuses }: Omit<AttackScenario, 'name'>,
): Promise<void> {
  const receivedStatuses: number[] = []
  const ordinary = { path: '/api/resources/docs', headers: { 'x-auth': target.beaToken } }
  const runAttack = async (): Promise<void> => void receivedStatuses.push(...(await attack(target)))
  const measurements = await measureAttack(target.server, runAttack, ordinary)
  expect(measurements.slowestMs).toBeLessThan(maxMs)
  expect(measurements.medianMs).toBeLessThan(maxMs)
  expect(measurements.peakBytes).toBeLessThan(maxPeakBytes)
  expect([...new Set(receivedStatuses)].filter((status) => !statuses.includes(status))).toEqual([])
  for (const path of ['/api/raw/a.txt', '/api/resources/a.txt?checksum=md5', '/api/raw/docs?algo=tar'])
    expect([path, await sendAsAnn(target, { path })]).toEqual([path, 200])
}
