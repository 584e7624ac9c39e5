import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ada, runServer, type RunningServer } from '../kit/run-server.ts'
import { ask, diskOf, read, type WorkloadClient, type Workload } from './work.ts'
import { other } from './works/records.ts'
import { works } from './works/works.ts'

export type WorkloadCounts = {
  readonly asked: number
  readonly answered: number
  /** Requests that were in flight when the server was killed. */
  readonly underWay: number
  /** The number of requests in flight at the kill whose change took effect although they were not answered. */
  readonly doneWithoutResponse: number
  /** Number of staged files that were found after the kill. They show that the kill interrupted a write. */
  readonly inTheMiddle: number
}

export type RoundsReport = {
  readonly rounds: number
  readonly counts: Readonly<Record<string, WorkloadCounts>>
  /** Descriptions of lost changes, of files with incomplete content, and of requests that fail after the kill. */
  readonly faults: readonly string[]
}

/**
 * Kills a real server with SIGKILL at random moments while clients send requests, restarts it, and checks the files and
 * records. Every change that was answered must exist, and a change in flight must exist completely or not at all.
 */
export async function runRounds(
  rounds: number,
  onRound: (round: number, found: readonly string[]) => 'on' | 'enough' = () => 'on',
): Promise<RoundsReport> {
  const server = await runServer({ people: [ada, other] })
  const counts: Record<string, WorkloadCounts> = {}
  const faults: string[] = []
  let done = 0
  try {
    const people = await signIn(server)
    for (let round = 0; round < rounds; round += 1) {
      const client: WorkloadClient = { server, ...people, folder: `round-${round}`, notes: new Map() }
      const found = await oneRound(client, counts).catch((thrown: unknown) => [`it ended: ${String(thrown)}`])
      faults.push(...found.map((fault) => `round ${round}: ${fault}`))
      done += 1
      const isEnough = onRound(round, found) === 'enough'
      if (isEnough || found.some((fault) => fault.startsWith('it ended'))) break
    }
  } finally {
    await server.remove()
  }
  return { rounds: done, counts, faults }
}

async function signIn({ url }: RunningServer): Promise<Pick<WorkloadClient, 'token' | 'userId' | 'otherId'>> {
  const body = JSON.stringify({ username: ada.name, password: ada.password })
  const token = await (await fetch(`${url}/api/login`, { method: 'POST', body })).text()
  const reply = await fetch(`${url}/api/users`, { headers: { 'x-auth': token } })
  const users = (await reply.json()) as readonly { readonly id: number; readonly username: string }[]
  const idOf = (name: string): number => users.find(({ username }) => username === name)?.id ?? 0
  return { token, userId: idOf(ada.name), otherId: idOf(other.name) }
}

/** The progress of a workload until the server was killed. */
type WorkloadProgress = { readonly work: Workload; readonly done: number; readonly fault: string | null }

async function oneRound(client: WorkloadClient, counts: Record<string, WorkloadCounts>): Promise<string[]> {
  const { server } = client
  for (const work of works) await work.prepare(diskOf(client, work))
  const worked = await workUntilKilled(client)
  const left = new Map(
    await Promise.all(works.map(async (work) => [work, await stagedIn(diskOf(client, work))] as const)),
  )
  await startAgain(server)
  const faults = [...damageOf(server), ...(await silenceOf(client))]
  for (const { work, done, fault } of worked) {
    const found = fault ?? (await work.look(client, done).catch(String))
    const wrong = wrongIn(found, done)
    if (wrong === null) faults.push(...(await stuckIn(client, work, Number(found))))
    else faults.push(`${work.name}: ${wrong}`)
    const inTheMiddle = left.get(work)?.length ?? 0
    counts[work.name] = added(counts[work.name], { found, done, inTheMiddle })
  }
  faults.push(...(await stagedIn(server.folder)).map((name) => `${name} was not swept`))
  faults.push(...(await leftIn(client)))
  return faults
}

/**
 * Runs all workloads concurrently until the server is killed at a random moment. Each workload requests one change
 * after the other.
 */
async function workUntilKilled(client: WorkloadClient): Promise<readonly WorkloadProgress[]> {
  const killed = { isOver: false }
  const warm: Promise<void>[] = []
  const working = works.map(async (work) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    warm.push(promise)
    let done = 0
    try {
      while (!killed.isOver && (await work.ask(client, done))) {
        done += 1
        resolve()
      }
      return { work, done, fault: null }
    } catch (thrown) {
      return { work, done, fault: String(thrown) }
    } finally {
      resolve()
    }
  })
  await Promise.all(warm)
  await after(Math.random() * 400)
  killed.isOver = true
  await client.server.stop('SIGKILL')
  return Promise.all(working)
}

/** Restarts the server. In three of ten rounds, it is killed once more while it starts. */
async function startAgain(server: RunningServer): Promise<void> {
  if (Math.random() < 0.3) {
    const starting = server.start().catch(() => undefined)
    await after(Math.random() * 600)
    await server.stop('SIGKILL')
    await starting
  }
  await server.start()
}

function damageOf({ database }: RunningServer): string[] {
  const opened = new DatabaseSync(database, { readOnly: true })
  try {
    const rows = opened.prepare('pragma integrity_check').all()
    const verdicts = rows.map((row) => String(row['integrity_check']))
    return verdicts.filter((verdict) => verdict !== 'ok').map((verdict) => `the database: ${verdict}`)
  } finally {
    opened.close()
  }
}

const looks = [
  '/api/resources/',
  '/api/users',
  '/api/settings',
  '/api/shares',
  '/api/sessions',
  '/api/usage/',
]

async function silenceOf(client: WorkloadClient): Promise<string[]> {
  const responses = await Promise.allSettled(looks.map((address) => read(client, address)))
  return responses.flatMap((response) => (response.status === 'rejected' ? [String(response.reason)] : []))
}

function wrongIn(found: number | string, done: number): string | null {
  if (typeof found === 'string') return found
  return found < done || found > done + 1 ? `${done} answered, ${found} there` : null
}

type WorkloadState = { readonly found: number | string; readonly done: number; readonly inTheMiddle: number }

function added(
  count: WorkloadCounts | undefined,
  { found, done, inTheMiddle }: WorkloadState,
): WorkloadCounts {
  return {
    asked: (count?.asked ?? 0) + done + 1,
    answered: (count?.answered ?? 0) + done,
    underWay: (count?.underWay ?? 0) + 1,
    doneWithoutResponse: (count?.doneWithoutResponse ?? 0) + Number(found === done + 1),
    inTheMiddle: (count?.inTheMiddle ?? 0) + inTheMiddle,
  }
}

/**
 * Requests a change after the restart: the interrupted change if it did not take effect, and the next change otherwise.
 * Returns a fault when the request fails.
 */
async function stuckIn(client: WorkloadClient, work: Workload, found: number): Promise<string[]> {
  try {
    await work.ask(client, found)
    return []
  } catch (thrown) {
    return [`${work.name} does not go on: ${String(thrown)}`]
  }
}

/** Removes the files of the round. Returns a fault when this fails. */
async function leftIn(client: WorkloadClient): Promise<string[]> {
  const address = `/api/resources/${client.folder}?permanent=true`
  const refused = await ask(client, 'DELETE', { address }).then(
    () => [],
    (thrown: unknown) => [String(thrown)],
  )
  const names = await readdir(client.server.folder)
  return [...refused, ...names.map((name) => `${name} is still there`)]
}

const stagedIn = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  return names.filter((name) => /^\.[0-9a-f]{32}/.test(path.basename(name)))
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
