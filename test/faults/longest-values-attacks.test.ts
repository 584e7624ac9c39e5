import { statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { contractEndpoints } from '../../scripts/docs/contract-endpoints.ts'
import type { Endpoint } from '../../src/shared/contract/endpoint.ts'
import { routes } from '../../src/shared/contract/routes.ts'
import { headerCharacters } from '../../src/shared/domain/header-limits.ts'
import { limits } from '../../src/shared/domain/limits.ts'
import { ada, ann, bundledProgram, runServer, type RunningServer } from '../kit/run-server.ts'
import { fieldsAtLimit } from '../limits/field-values.ts'
import { tokenOf } from './attack.ts'
import { delay, measureAttack } from './measure-attack.ts'

/**
 * These tests send the longest permitted value of every field, header and message to a server with a heap of 512 MB, each
 * time another value, and measure what the server keeps. The requests come from the contract, so a new field is sent as well.
 */

/**
 * Nine requests take turns (see `sentTo`), so a call gets eight of each, twice as many as the server may keep (see
 * `maxKeptValues`). More of them would only take more time: with eight times as many, this file took 4 minutes.
 */
const times = 72
/** The number of requests in flight, on a connection each. */
const concurrent = 2
/** An export reads and sends the whole audit log, which has some megabytes by then. Exports wait for each other. */
const timesForExports = 4
/** Large heads start every 50 ms, so fewer of them are sent. They have 14 MB together. */
const timesForLargeHeads = 60

const mebi = 1024 * 1024
/**
 * What the server may keep of all these requests, in bytes. Compiled code and caches with a fixed number of small entries
 * make up to 5 MiB of it.
 */
const maxKeptBytes = 8 * mebi
/**
 * The number of sent values that the server may have in memory: twice as many as there are connections, because each connection
 * may keep its last request. A field is sent with eight values to each call.
 */
const maxKeptValues = 2 * concurrent
/** The growth of the database in bytes. Most of it are events of the audit log, and tokens of renewed sessions. */
const maxDatabaseBytes = 32 * mebi

const endpoints = await contractEndpoints()

let server: RunningServer
let tokens: { readonly ada: string; readonly ann: string; readonly share: string }
beforeAll(async () => {
  const [node = '', ...program] = bundledProgram()
  const reporter = path.resolve(import.meta.dirname, '../kit/report-heap.ts')
  server = await runServer({
    people: [ada, ann],
    files: { docs: { 'a.txt': 'A' }, shared: { 'b.txt': 'B' } },
    program: [node, '--max-old-space-size=512', '--expose-gc', '--import', reporter, ...program],
    flags: ['--auth.trustedProxies=127.0.0.1'],
  })
  const adaToken = await tokenOf(server, ada)
  const response = await fetch(`${server.url}/api/share/shared`, {
    method: 'POST',
    headers: { 'x-auth': adaToken },
    body: JSON.stringify({ password: 'a shared password' }),
  })
  const { hash } = (await response.json()) as { readonly hash: string }
  tokens = { ada: adaToken, ann: await tokenOf(server, ann), share: hash }
})
afterAll(() => server.remove())

const agent = new Agent({ keepAlive: true, maxSockets: concurrent })

type Sent = {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** Sends a request and reads the response. Returns its status, or 0 when the connection broke. */
const send = ({ method, target, headers, body }: Sent): Promise<number> =>
  new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const { port } = server
    const outgoing = request(
      { host: '127.0.0.1', port, path: target, method, agent, headers: { ...length, ...headers } },
      (response) => {
        response.on('error', () => resolve(0))
        response.resume().once('end', () => resolve(response.statusCode ?? 0))
      },
    )
    outgoing.once('error', () => resolve(0)).end(body)
  })

/** Sends requests in batches. Returns how often each status arrived. */
async function sendAll(count: number, sentOf: (n: number) => Sent): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) {
      const status = await send(sentOf((next += 1)))
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: concurrent }, worker))
  return statuses
}

/** Returns a text of the given length that differs from all others with another number. */
const unique = (n: number, length: number): string => `value-${n}-`.padEnd(length, 'x').slice(0, length)

/**
 * Returns a path of the longest permitted length, whose names have 255 bytes. Paths are not counted as values, because caches of a
 * fixed number of folders and the journal of staged files keep up to a thousand of them each.
 */
const longPath = (n: number): string =>
  `/${`path-${n}-`.padEnd(limits.nameBytes, 'x')}`.repeat(
    Math.floor(limits.pathBytes / (limits.nameBytes + 1)),
  )

/** Headers that decide about the request as a whole, so that other values of them would hide the rest. */
const ruling = [
  'accept',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'origin',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'transfer-encoding',
  'upgrade',
  'x-auth',
]
/** Headers that are so long that the requests with them are large. They are sent separately. */
const long = Array.from(headerCharacters).flatMap(([name, max]) => (max > 16 * 1024 ? [name] : []))
const addresses = 'x-forwarded-for'

/** Groups of headers that together stay below the size of a large head. */
function headerGroups(): readonly (readonly string[])[] {
  const groups: string[][] = []
  let chars = Number.POSITIVE_INFINITY
  for (const [name, max] of headerCharacters) {
    if (ruling.includes(name) || long.includes(name) || name === addresses) continue
    if (chars + max > 15 * 1024) {
      groups.push([])
      chars = 0
    }
    groups.at(-1)?.push(name)
    chars += max
  }
  return groups
}

const headersAtLimit = (n: number, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, unique(n, headerCharacters.get(name) ?? 0)]))

/** Each request comes from another address, as an attacker with many addresses sends them. */
const addressOf = (n: number): string => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`

const placeOf = (endpoint: Endpoint, rest: string): string =>
  routes[endpoint.route].pattern
    .replace('{id}', '1')
    .replace('{size}', 'thumb')
    .replace('/*', endpoint.route.startsWith('public.') ? `/${tokens.share}${rest}` : rest)

/**
 * Returns one request of an endpoint: with the longest path, with the longest values of the query and the body, or with one
 * of the groups of headers.
 */
function sentTo(endpoint: Endpoint, groups: readonly (readonly string[])[], n: number): Sent {
  const { method } = routes[endpoint.route]
  const turn = n % (groups.length + 3)
  const names = turn < 3 ? [] : (groups[turn - 3] ?? [])
  const { query, body } = fieldsAtLimit(endpoint, (length) => unique(n, length), n)
  // Only the bytes in use tell about paths, so twice as many of them are sent: 10 MB to all calls together.
  const place = placeOf(endpoint, turn < 2 ? longPath(n) : '/docs/a.txt')
  return {
    method,
    target: turn === 2 && query !== '' ? `${place}?${query}` : place,
    headers: {
      ...(endpoint.audience !== 'anyone' && {
        'x-auth': endpoint.audience === 'admin' ? tokens.ada : tokens.ann,
      }),
      'user-agent': unique(n, 500),
      [addresses]: addressOf(n),
      ...headersAtLimit(n, names),
    },
    body: endpoint.body === 'bytes' ? 'x' : body,
  }
}

/** Sends a signal to the server, on which it prints a number after a text. Returns the number. */
async function reported(signal: NodeJS.Signals, text: string): Promise<number> {
  const reports = (): string[] =>
    [...server.output().matchAll(new RegExp(`^${text}: (\\d+)$`, 'gm'))].map(([, it = '']) => it)
  const before = reports().length
  process.kill(server.pid(), signal)
  await expect.poll(() => reports().length).toBeGreaterThan(before)
  return Number(reports().at(-1))
}

/** Collects the garbage of the server. Returns the bytes that it uses. */
const bytesInUse = (): Promise<number> => reported('SIGUSR2', 'heap in use')

/** Returns how many of the sent values the server has in memory. */
const valuesKept = (): Promise<number> => reported('SIGWINCH', 'values kept')

const databaseBytes = (): number =>
  ['', '-wal'].reduce(
    (sum, end) => sum + (statSync(`${server.database}${end}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )

/** A query that names entries, as long as a head allows beside its other headers. */
const files = (n: number): string => `files=${unique(n, limits.requestHeadBytes - 17 * 1024)}`

/** Opens a socket as Ann. */
const open = (route: string): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}${route}`, {
      headers: { 'x-auth': tokens.ann },
    })
    socket.once('open', () => resolve(socket)).once('error', reject)
  })

const watchMessage = (name: string) => JSON.stringify({ watch: [`/${name}`] })

/** Calls that end the session or the account of their caller, which all requests need. */
const ending = ['sessions.logout', 'sessions.end-others', 'users.remove', 'events.open', 'command.run']
const attacked = endpoints.filter(({ route }) => !ending.includes(route))

const timesFor = ({ route }: Endpoint): number => (route === 'audit.export' ? timesForExports : times)

/** Runs an attack, and expects that the server works meanwhile and keeps little of it. */
async function expectLittleIsKept(attack: () => Promise<unknown>): Promise<void> {
  const [heapBefore, databaseBefore] = [await bytesInUse(), databaseBytes()]
  const { slowestMs } = await measureAttack(server, attack)
  expect(slowestMs).toBeLessThan(1000)
  // Events are stored, and tickets and failures forgotten, within the next seconds or minutes; nothing large may be left.
  await expect.poll(async () => (await bytesInUse()) - heapBefore).toBeLessThan(maxKeptBytes)
  await expect.poll(valuesKept, { timeout: 30_000, interval: 1000 }).toBeLessThan(maxKeptValues)
  expect(databaseBytes() - databaseBefore).toBeLessThan(maxDatabaseBytes)
}

/**
 * Requests of each endpoint before the measurement, so that code is compiled, and caches are full that keep a fixed number of
 * small entries.
 */
const warmUpTimes = 36

test('the longest permitted values of every field and header are not kept', async () => {
  const groups = headerGroups()
  for (const endpoint of attacked)
    await sendAll(Math.min(warmUpTimes, timesFor(endpoint)), (n) => sentTo(endpoint, groups, n))
  const seen: Record<string, Record<number, number>> = {}
  await expectLittleIsKept(async () => {
    for (const endpoint of attacked)
      seen[endpoint.route] = await sendAll(timesFor(endpoint), (n) =>
        sentTo(endpoint, groups, n + warmUpTimes),
      )
  })
  const broken = Object.entries(seen).filter(
    ([, statuses]) => 0 in statuses || 500 in statuses || 413 in statuses,
  )
  expect(broken).toEqual([])
  // Ten thousand requests take more than half a minute, and longer beside the journeys.
}, 600_000)

test('the longest lists of names, cookies and tokens are not kept', async () => {
  const auth = { 'x-auth': tokens.ann }
  await expectLittleIsKept(async () => {
    await sendAll(timesForLargeHeads, (n) => ({
      method: 'GET',
      target: `/api/raw/docs?algo=zip&${files(n)}`,
      headers: auth,
    }))
    await sendAll(timesForLargeHeads, (n) => ({
      method: 'GET',
      target: `/api/public/dl/${tokens.share}/?algo=zip&${files(n)}`,
      headers: { 'x-share-password': 'a shared password' },
    }))
    for (const name of long)
      await sendAll(timesForLargeHeads, (n) => ({
        method: 'GET',
        target: '/api/resources/docs',
        headers: headersAtLimit(n, [name]),
      }))
  })
})

test('the longest messages of sockets are not kept', async () => {
  await expectLittleIsKept(async () => {
    const events = await open('/api/events')
    for (let n = 0; n < times; n += 1) {
      const rest = limits.socketMessageBytes - watchMessage('').length
      events.send(watchMessage(unique(n, rest)))
      if (n % 50 === 0) await delay(10)
    }
    const commands = await open('/api/command/docs')
    for (let n = 0; n < times; n += 1) commands.send(unique(n, limits.socketMessageBytes))
    await delay(500)
    for (const socket of [events, commands]) socket.terminate()
  })
})
