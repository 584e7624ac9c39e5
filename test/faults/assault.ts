import { expect } from 'vitest'
import { ann, bea, type Person, type RunningServer } from '../kit/run-server.ts'
import { after, attacker, besiege, endAll, statusOf, type Attacker, type Call } from './besieged.ts'

export const mebi = 1024 * 1024

/** A server that Ann attacks, or strangers do, and that Bea goes on using. */
export type Target = { readonly server: RunningServer; readonly token: string; readonly beaToken: string }

export async function targetOf(server: RunningServer): Promise<Target> {
  return { server, token: await tokenOf(server, ann), beaToken: await tokenOf(server, bea) }
}

export async function tokenOf(server: RunningServer, { name, password }: Person): Promise<string> {
  const body = JSON.stringify({ username: name, password })
  const reply = await fetch(`${server.url}/api/login`, { method: 'POST', body })
  expect(reply.status).toBe(200)
  return reply.text()
}

type Claims = { readonly user: { readonly id: number } }

export const idOf = (token: string): number =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Claims).user.id

/** As Ann. */
export const ask = ({ server, token }: Target, call: Call): Promise<number> =>
  statusOf(server, { ...call, headers: { 'x-auth': token, ...call.headers } })

/** So many calls at once, as Ann. */
export const storm = (target: Target, count: number, call: (n: number) => Call): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, async (_, n) => ask(target, call(n))))

/** So many calls at once, each from one of a hundred addresses, by nobody who is signed in. */
export const crowd = ({ server }: Target, count: number, call: (n: number) => Call): Promise<number[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, n) =>
      statusOf(server, { ...call(n), from: `127.0.3.${1 + (n % 100)}` }),
    ),
  )

export const attackersOf = ({ server }: Target, count: number, head: (n: number) => string): Attacker[] =>
  Array.from({ length: count }, (_, n) => attacker(server.port, head(n)))

/** The head of a request of Ann's. */
export const headed = ({ token }: Target, line: string, more = ''): string =>
  `${line} HTTP/1.1\r\nHost: h\r\nX-Auth: ${token}\r\n${more}\r\n`

export type Leaving = { readonly line: string; readonly count: number; readonly forMs: number }

/** Clients that ask, take nothing of what comes, and leave; gives the statuses that they heard. */
export async function askAndLeave(target: Target, { line, count, forMs }: Leaving): Promise<number[]> {
  const attackers = attackersOf(target, count, () => headed(target, line))
  for (const { socket } of attackers) socket.once('data', () => socket.pause())
  await after(forMs)
  endAll(attackers)
  return attackers.flatMap(({ heard }) => (heard() === '' ? [] : [Number(heard().split(' ')[1])]))
}

export type Attack = {
  readonly name: string
  /** Gives the statuses that were answered. */
  readonly attack: (target: Target) => Promise<readonly number[]>
  readonly statuses: readonly number[]
}

/** A second, and memory that ends somewhere. */
export const mostMs = 1000
const mostPeakBytes = 1536 * mebi

/** While it goes on `/health` and Bea are answered in time; behind it Ann is served as before: nobody who left stands in her way. */
export async function expectUnfelt(
  target: Target,
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
