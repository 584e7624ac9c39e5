import { lstatSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ada, ann, runServer, type RunningServer } from '../kit/run-server.ts'

/**
 * The scopes of two people with a quota, one of which contains the other, and their quotas in bytes. What the one with the inner
 * scope stores may exceed the other quota.
 */
const people = [
  { name: ann.name, password: ann.password, scope: '/ann', quotaBytes: 300_000, maxBytes: 420_000 },
  {
    name: 'bea',
    password: 'bea has a long password',
    scope: '/ann/bea',
    quotaBytes: 120_000,
    maxBytes: 120_000,
  },
] as const

export type QuotaRoundsReport = {
  readonly kills: number
  /** Numbers of requests by their status. 0 stands for a request whose server was killed. */
  readonly statuses: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

/** Returns a function that returns numbers from 0 to 1, which depend on the seed only. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Kills one or both of two servers of one state at random moments while people with a quota store, replace, copy, rename and
 * remove files on both. After each round, the counted bytes must be those of the files, and no more than the quota.
 */
export async function runQuotaRounds(
  kills: number,
  seed: number,
  onRound: (kills: number, found: readonly string[]) => 'continue' | 'stop' = () => 'continue',
): Promise<QuotaRoundsReport> {
  const random = createRandom(seed)
  const statuses: Record<string, number> = {}
  const faults: string[] = []
  const first = await runServer({
    people: [ada],
    files: { ann: { sub: {}, bea: { sub: {} } } },
  })
  const second = await runServer({
    state: path.dirname(first.database),
    folder: first.folder,
    isSetUpElsewhere: true,
  })
  const servers = [first, second]
  let done = 0
  try {
    for (const { name, password, scope, quotaBytes } of people) {
      const flags = ['--scope', scope, '--quota', String(quotaBytes)]
      await first.cli('users', 'add', name, password, ...flags)
    }
    const tokens = await Promise.all(people.map((person) => logIn(first, person)))
    // On a slow machine, the quotas may be reached only after more kills.
    const isDone = (): boolean => done >= kills && (statuses['507'] !== undefined || done >= 3 * kills)
    for (let round = 0; !isDone(); round += 1) {
      const killed = servers.filter((_, index) => index === round % 2 || random() < 0.3)
      await workUntilKilled(servers, killed, { tokens, random, statuses })
      done += killed.length
      await Promise.all(killed.map((server) => server.start()))
      const found = await findFaults(servers, tokens)
      faults.push(...found.map((fault) => `round ${round}: ${fault}`))
      if (onRound(done, found) === 'stop') break
    }
  } finally {
    await second.remove()
    await first.remove()
  }
  return { kills: done, statuses, faults }
}

async function logIn(
  { url }: RunningServer,
  { name: username, password }: { readonly name: string; readonly password: string },
): Promise<string> {
  return (
    await fetch(`${url}/api/login`, { method: 'POST', body: JSON.stringify({ username, password }) })
  ).text()
}

type RoundContext = {
  readonly tokens: readonly string[]
  readonly random: () => number
  readonly statuses: Record<string, number>
}

/** Each person sends requests to each server, one after the other, until some of the servers are killed. */
async function workUntilKilled(
  servers: readonly RunningServer[],
  killed: readonly RunningServer[],
  { tokens, random, statuses }: RoundContext,
): Promise<void> {
  const killing = new AbortController()
  const clients = servers.flatMap((server) => tokens.map((token) => ({ server, token })))
  const working = clients.map(async ({ server, token }) => {
    while (!killing.signal.aborted) {
      const { method, address, body } = randomRequest(random)
      const status = await fetch(`${server.url}/api/resources/${address}`, {
        method,
        headers: { 'x-auth': token },
        body,
      })
        .then(async (response) => {
          await response.arrayBuffer()
          return response.status
        })
        .catch(() => 0)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  })
  await new Promise((resolve) => setTimeout(resolve, 100 + random() * 500))
  await Promise.all(killed.map((server) => server.stop('SIGKILL')))
  killing.abort()
  await Promise.all(working)
}

type RandomRequest = { readonly method: string; readonly address: string; readonly body: string | null }

function randomRequest(random: () => number): RandomRequest {
  const name = (): string => `${random() < 0.3 ? 'sub/' : ''}${Math.floor(random() * 40)}`
  const choice = random()
  if (choice < 0.65) {
    const body = 'x'.repeat(Math.floor(random() ** 2 * 20_000))
    return { method: 'POST', address: `${name()}?override=true`, body }
  }
  if (choice < 0.75) return { method: 'DELETE', address: `${name()}?permanent=true`, body: null }
  const action = choice < 0.9 ? 'rename' : 'copy'
  const destination = encodeURIComponent(`/${name()}`)
  return {
    method: 'PATCH',
    address: `${name()}?action=${action}&destination=${destination}&override=true`,
    body: null,
  }
}

/** The time in milliseconds after which all servers must count what each of them has stored. It is half a second on an idle machine. */
const countedMs = 5000

/** Compares what the servers say and what the records contain with the files. */
async function findFaults(servers: readonly RunningServer[], tokens: readonly string[]): Promise<string[]> {
  const [{ folder, database }] = servers as readonly [RunningServer]
  const tooMany = people.flatMap(({ scope, maxBytes }) => {
    const bytes = bytesIn(path.join(folder, scope))
    return bytes > maxBytes ? [`${scope} has ${bytes} of ${maxBytes} bytes`] : []
  })
  const find = async () => [...(await usageFaults(servers, tokens)), ...recordFaults(database, folder)]
  const deadline = performance.now() + countedMs
  let found = await find()
  while (found.length > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    found = await find()
  }
  return [...tooMany, ...found]
}

async function usageFaults(servers: readonly RunningServer[], tokens: readonly string[]): Promise<string[]> {
  const faults: string[] = []
  for (const [index, { scope }] of people.entries())
    for (const { url, folder, output } of servers) {
      const ask = () => fetch(`${url}/api/usage/`, { headers: { 'x-auth': tokens[index] ?? '' } })
      // The first request may be sent over a connection to the killed server.
      const response = await ask().catch(ask)
      if (!response.ok) {
        faults.push(`a server answers ${response.status}, after this output: ${output().slice(-2000)}`)
        continue
      }
      const { used } = (await response.json()) as { readonly used: number }
      const bytes = bytesIn(path.join(folder, scope))
      if (used !== bytes) faults.push(`a server counts ${used} bytes in ${scope}, which has ${bytes}`)
    }
  return faults
}

function recordFaults(database: string, folder: string): string[] {
  const connection = new DatabaseSync(database, { readOnly: true })
  try {
    const grants = connection.prepare('select bytes from scope_grant').all()
    const rows = connection.prepare('select scope, bytes from scope_usage').all()
    const wrong = rows.filter(({ scope, bytes }) => bytes !== bytesIn(path.join(folder, String(scope))))
    return [
      ...grants.map(({ bytes }) => `${String(bytes)} bytes are still reserved`),
      ...wrong.map(({ scope, bytes }) => `the records count ${String(bytes)} bytes in ${String(scope)}`),
      ...(rows.length === people.length ? [] : [`the records count ${rows.length} scopes`]),
    ]
  } finally {
    connection.close()
  }
}

/** Returns the bytes of the files in a folder, apart from staged ones. */
function bytesIn(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile() && !/^\.[0-9a-f]{32}/.test(entry.name))
      bytes += lstatSync(path.join(entry.parentPath, entry.name)).size
  return bytes
}
