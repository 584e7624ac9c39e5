import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { ada, runServer, type RunningServer } from '../kit/run-server.ts'
import { ask, type Client } from './work.ts'
import { prepare, works } from './works.ts'

export type Count = { asked: number; answered: number; found: number }

export type Outcome = {
  readonly rounds: number
  /** Staged names that lay on the disk when a server had been killed: how often it was hit in the middle of something. */
  readonly left: number
  readonly counts: Readonly<Record<string, Count>>
  /** What was lost, torn, or stuck. */
  readonly faults: readonly string[]
}

/**
 * Kills a real server with signal 9 at random moments while people work with it, starts it again, and looks at what is there: every
 * change that was answered, and of the one that was not either everything or nothing.
 */
export async function runRounds(
  rounds: number,
  onRound: (round: number) => void = () => {},
): Promise<Outcome> {
  const server = await runServer({ people: [ada] })
  const counts: Record<string, Count> = Object.fromEntries(
    works.map(({ name }) => [name, { asked: 0, answered: 0, found: 0 }]),
  )
  const faults: string[] = []
  let left = 0
  try {
    const login = await signIn(server)
    for (let round = 0; round < rounds; round += 1) {
      const client: Client = { server, ...login, folder: `round-${round}` }
      const found = await oneRound(client, counts)
      faults.push(...found.faults.map((fault) => `round ${round}: ${fault}`))
      left += found.left
      onRound(round)
    }
  } finally {
    await server.remove()
  }
  return { rounds, left, counts, faults }
}

async function signIn({ url }: RunningServer): Promise<Pick<Client, 'token' | 'userId'>> {
  const body = JSON.stringify({ username: ada.name, password: ada.password })
  const token = await (await fetch(`${url}/api/login`, { method: 'POST', body })).text()
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    readonly user: { readonly id: number }
  }
  return { token, userId: claims.user.id }
}

async function oneRound(
  client: Client,
  counts: Record<string, Count>,
): Promise<{ readonly left: number; readonly faults: string[] }> {
  const { server, folder } = client
  await prepare(path.join(server.folder, folder))
  const faults: string[] = []
  const killed = { isOver: false }
  const warm = works.map(() => Promise.withResolvers<void>())
  const working = works.map(async ({ ask }, at) => {
    let done = 0
    try {
      while (!killed.isOver && (await ask(client, done))) {
        done += 1
        warm[at]?.resolve()
      }
    } finally {
      warm[at]?.resolve()
    }
    return { done }
  })
  const settled = Promise.allSettled(working)
  await Promise.all(warm.map(({ promise }) => promise))
  await after(Math.random() * 400)
  killed.isOver = true
  await server.stop('SIGKILL')
  const answered = await settled
  const left = (await stagedIn(server.folder)).length
  await startAgain(server)
  for (const [at, work] of works.entries()) {
    const result = answered[at]!
    if (result.status === 'rejected') {
      faults.push(`${work.name}: ${String(result.reason)}`)
      continue
    }
    const { done } = result.value
    const found = await work.look(client, done)
    const count = counts[work.name]!
    count.asked += done + 1
    count.answered += done
    if (typeof found === 'number') count.found += found
    if (typeof found === 'string') faults.push(`${work.name}: ${found}`)
    else if (found < done || found > done + 1) faults.push(`${work.name}: ${done} answered, ${found} there`)
  }
  faults.push(...(await stagedIn(server.folder)).map((name) => `${name} was not swept`))
  faults.push(...(await stuckIn(client)))
  return { left, faults }
}

/** Now and then the next server is killed while it starts, too. */
async function startAgain(server: RunningServer): Promise<void> {
  if (Math.random() < 0.3) {
    const starting = server.start().catch(() => undefined)
    await after(Math.random() * 600)
    await server.stop('SIGKILL')
    await starting
  }
  await server.start()
}

/** Everything of the round can be worked with again, and removed. */
async function stuckIn(client: Client): Promise<string[]> {
  const stuck: string[] = []
  for (const { name, ask: again } of works.filter(({ name }) => name === 'overwrite')) {
    if (!(await again(client, 0))) stuck.push(`${name} does not work any more`)
  }
  await ask(client, 'DELETE', { address: `/api/resources/${client.folder}?permanent=true` }).catch(
    (error: unknown) => stuck.push(String(error)),
  )
  const names = await readdir(client.server.folder)
  return [...stuck, ...names.filter((name) => name === client.folder).map((name) => `${name} is still there`)]
}

const stagedIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).filter((name) => /^\.[0-9a-f]{32}/.test(path.basename(name)))

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
