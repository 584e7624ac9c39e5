import { spawn } from 'node:child_process'
import path from 'node:path'
import { ada, runServer } from '../kit/run-server.ts'
import { runLoad, cpuTimeMs, type LoadResult } from './load-client.ts'
import { compiled, type PeerServer } from './peers.ts'
import { median, type BenchResult } from './table.ts'
import { program, signedIn } from './bench-context.ts'

const connections = 64
const rounds = 7
const seconds = 1.5

type ResponseHeaders = Readonly<Record<string, string>>
type MeasuredServer = {
  readonly port: number
  readonly pid: number
  readonly path: string
  readonly headers: ResponseHeaders
}
type LoadRound = LoadResult & { readonly cpuTimeMs: number }

const calls = [
  { what: 'JSON of a person', path: '/api/users/1' },
  { what: 'listing of 10 entries', path: '/api/resources/ten/' },
] as const

/**
 * Measures small calls of a signed-in user against the same responses from a minimal `node:http` server. Each server runs
 * in its own process.
 */
export async function benchSmall(): Promise<readonly BenchResult[]> {
  const loadClient = await compiled('load-client')
  if (loadClient === null) return []
  const ten = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`entry-${n}.txt`, 'small']))
  const server = await runServer({ files: { ten }, people: [ada], program })
  try {
    const headers = await signedIn(server)
    const results: BenchResult[] = []
    for (const { what, path } of calls) {
      const ours: MeasuredServer = { port: server.port, pid: server.pid(), path, headers }
      const bare = await startBare(await responseOf(ours))
      const taken = await compare(loadClient, ours, { ...ours, port: bare.port, pid: bare.pid })
      bare.stop()
      results.push(...rowsOf(what, taken))
    }
    return results
  } finally {
    await server.remove()
  }
}

async function compare(loadClient: string, ours: MeasuredServer, bare: MeasuredServer) {
  const ask = async ({ pid, ...side }: MeasuredServer, forSeconds: number): Promise<LoadRound> => {
    const before = cpuTimeMs(pid)
    const heard = await runLoad(loadClient, { ...side, connections, seconds: forSeconds })
    return { ...heard, cpuTimeMs: cpuTimeMs(pid) - before }
  }
  for (const side of [ours, bare]) await ask(side, 2 * seconds)
  const taken: { readonly ours: LoadRound[]; readonly bare: LoadRound[] } = { ours: [], bare: [] }
  for (let round = 0; round < rounds; round += 1) {
    taken.ours.push(await ask(ours, seconds))
    taken.bare.push(await ask(bare, seconds))
  }
  return taken
}

function rowsOf(
  what: string,
  taken: { readonly ours: LoadRound[]; readonly bare: LoadRound[] },
): readonly BenchResult[] {
  const row = (name: string, unit: string, figure: (one: LoadRound) => number): BenchResult => ({
    what: `${what}, ${connections} connections: ${name}`,
    ours: median(taken.ours.map(figure)),
    floor: median(taken.bare.map(figure)),
    unit,
    against: 'bare node:http, same bytes',
    better: unit === 'calls/s' ? 'more' : 'less',
    // The baseline does no work for its responses, so most of its figures are an upper bound and not a requirement.
    bar: name === '99th of 100' && what === calls[0].what ? 1.3 : null,
  })
  return [
    row('50th of 100', 'ms', ({ middleMs }) => middleMs),
    row('99th of 100', 'ms', ({ slowMs }) => slowMs),
    row('a second', 'calls/s', ({ calls, allMs }) => calls / (allMs / 1000)),
    row('processor time of a call', 'µs', ({ calls, cpuTimeMs }) => (cpuTimeMs * 1000) / calls),
  ]
}

type RecordedResponse = { readonly headers: ResponseHeaders; readonly body: string }

/** Headers that `node:http` adds itself. They are not recorded, because the minimal server adds them too. */
const addedBelow = ['date', 'connection', 'keep-alive', 'transfer-encoding']

async function responseOf({ port, path, headers }: MeasuredServer): Promise<RecordedResponse> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  const body = await response.text()
  const own = [...response.headers].filter(([name]) => !addedBelow.includes(name))
  return { headers: { ...Object.fromEntries(own), 'content-length': String(Buffer.byteLength(body)) }, body }
}

async function startBare(recorded: RecordedResponse): Promise<PeerServer> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'peers/bare-http.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(recorded))
  const port = await new Promise<number>((resolve) =>
    child.stdout.once('data', (text) => resolve(Number(String(text)))),
  )
  return { port, pid: child.pid ?? 0, stop: () => child.kill() }
}
