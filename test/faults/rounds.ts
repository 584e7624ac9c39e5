import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ada, runServer, type RunningServer } from '../kit/run-server.ts'
import { requestChange, diskFolderOf, readJson, type WorkloadClient, type Workload } from './work.ts'
import { otherUser } from './works/records.ts'
import { workloads } from './works/works.ts'

export type WorkloadCounts = {
  readonly requested: number
  readonly confirmed: number
  /** Number of requests that were in flight when the server was killed. */
  readonly inFlight: number
  /** Number of requests that took effect although the kill prevented the response. */
  readonly doneWithoutResponse: number
  /** Number of staged files that were found after the kill. They show that the kill interrupted a write. */
  readonly interruptedWrites: number
}

export type KillRoundsReport = {
  readonly rounds: number
  readonly counts: Readonly<Record<string, WorkloadCounts>>
  /** Descriptions of lost changes, of files with incomplete content, and of requests that fail after the kill. */
  readonly faults: readonly string[]
}

/**
 * Kills a real server with SIGKILL at random moments while clients send requests, restarts it, and checks the files and
 * records. Every change that the server confirmed must exist, and a change in flight must exist completely or not at
 * all.
 */
export async function runRounds(
  rounds: number,
  onRound: (round: number, found: readonly string[]) => 'continue' | 'stop' = () => 'continue',
): Promise<KillRoundsReport> {
  const server = await runServer({ people: [ada, otherUser] })
  const counts: Record<string, WorkloadCounts> = {}
  const faults: string[] = []
  let done = 0
  try {
    const signedIn = await signIn(server)
    for (let round = 0; round < rounds; round += 1) {
      const client: WorkloadClient = { server, ...signedIn, folder: `round-${round}`, notes: new Map() }
      const found = await runRound(client, counts).catch((thrown: unknown) => [`it ended: ${String(thrown)}`])
      faults.push(...found.map((fault) => `round ${round}: ${fault}`))
      done += 1
      const isEnough = onRound(round, found) === 'stop'
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
  const response = await fetch(`${url}/api/users`, { headers: { 'x-auth': token } })
  const users = (await response.json()) as readonly { readonly id: number; readonly username: string }[]
  const idOf = (name: string): number => users.find(({ username }) => username === name)?.id ?? 0
  return { token, userId: idOf(ada.name), otherId: idOf(otherUser.name) }
}

/** The progress of a workload until the server was killed. */
type WorkloadProgress = { readonly workload: Workload; readonly done: number; readonly fault: string | null }

async function runRound(client: WorkloadClient, counts: Record<string, WorkloadCounts>): Promise<string[]> {
  const { server } = client
  for (const workload of workloads) await workload.prepare(diskFolderOf(client, workload))
  const progress = await workUntilKilled(client)
  const stagedNames = new Map(
    await Promise.all(
      workloads.map(async (workload) => [workload, await stagedIn(diskFolderOf(client, workload))] as const),
    ),
  )
  await restart(server)
  const faults = [...databaseFaults(server), ...(await readFaults(client))]
  for (const { workload, done, fault } of progress) {
    const found = fault ?? (await workload.countChanges(client, done).catch(String))
    const wrong = countFault(found, done)
    if (wrong === null) faults.push(...(await retryFaults(client, workload, Number(found))))
    else faults.push(`${workload.name}: ${wrong}`)
    const interruptedWrites = stagedNames.get(workload)?.length ?? 0
    counts[workload.name] = addCounts(counts[workload.name], { found, done, interruptedWrites })
  }
  faults.push(...(await stagedIn(server.folder)).map((name) => `${name} was not swept`))
  faults.push(...(await removalFaults(client)))
  return faults
}

/**
 * Runs all workloads concurrently until the server is killed at a random moment. Each workload requests one change
 * after the other.
 */
async function workUntilKilled(client: WorkloadClient): Promise<readonly WorkloadProgress[]> {
  const killed = { isOver: false }
  const warmUps: Promise<void>[] = []
  const working = workloads.map(async (workload) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    warmUps.push(promise)
    let done = 0
    try {
      while (!killed.isOver && (await workload.request(client, done))) {
        done += 1
        resolve()
      }
      return { workload, done, fault: null }
    } catch (thrown) {
      return { workload, done, fault: String(thrown) }
    } finally {
      resolve()
    }
  })
  await Promise.all(warmUps)
  await delay(Math.random() * 400)
  killed.isOver = true
  await client.server.stop('SIGKILL')
  return Promise.all(working)
}

/** Restarts the server. In three of ten rounds, it is killed once more while it starts. */
async function restart(server: RunningServer): Promise<void> {
  if (Math.random() < 0.3) {
    const starting = server.start().catch(() => undefined)
    await delay(Math.random() * 600)
    await server.stop('SIGKILL')
    await starting
  }
  await server.start()
}

function databaseFaults({ database }: RunningServer): string[] {
  const connection = new DatabaseSync(database, { readOnly: true })
  try {
    const rows = connection.prepare('pragma integrity_check').all()
    const verdicts = rows.map((row) => String(row['integrity_check']))
    return verdicts.filter((verdict) => verdict !== 'ok').map((verdict) => `the database: ${verdict}`)
  } finally {
    connection.close()
  }
}

const readPaths = [
  '/api/resources/',
  '/api/users',
  '/api/settings',
  '/api/shares',
  '/api/sessions',
  '/api/usage/',
]

async function readFaults(client: WorkloadClient): Promise<string[]> {
  const responses = await Promise.allSettled(readPaths.map((address) => readJson(client, address)))
  return responses.flatMap((response) => (response.status === 'rejected' ? [String(response.reason)] : []))
}

function countFault(found: number | string, done: number): string | null {
  if (typeof found === 'string') return found
  return found < done || found > done + 1 ? `${done} answered, ${found} there` : null
}

type WorkloadCheckResult = {
  readonly found: number | string
  readonly done: number
  readonly interruptedWrites: number
}

function addCounts(
  count: WorkloadCounts | undefined,
  { found, done, interruptedWrites }: WorkloadCheckResult,
): WorkloadCounts {
  return {
    requested: (count?.requested ?? 0) + done + 1,
    confirmed: (count?.confirmed ?? 0) + done,
    inFlight: (count?.inFlight ?? 0) + 1,
    doneWithoutResponse: (count?.doneWithoutResponse ?? 0) + Number(found === done + 1),
    interruptedWrites: (count?.interruptedWrites ?? 0) + interruptedWrites,
  }
}

/**
 * Requests a change after the restart. This is the interrupted change if that change did not take effect, and otherwise
 * the next change. Returns a fault when the request fails.
 */
async function retryFaults(client: WorkloadClient, workload: Workload, found: number): Promise<string[]> {
  try {
    await workload.request(client, found)
    return []
  } catch (thrown) {
    return [`${workload.name} does not go on: ${String(thrown)}`]
  }
}

/** Removes the files of the round. Returns a fault when this fails. */
async function removalFaults(client: WorkloadClient): Promise<string[]> {
  const address = `/api/resources/${client.folder}?permanent=true`
  const refused = await requestChange(client, 'DELETE', { address }).then(
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

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
