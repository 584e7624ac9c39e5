import { spawn } from 'node:child_process'
import path from 'node:path'
import { ada, runServer } from '../kit/run-server.ts'
import { runLoad, cpuTimeMs, type LoadTestResult } from './load-client.ts'
import { compileProgram, type PeerServer } from './peers.ts'
import { median, type BenchResult } from './table.ts'
import { program, logIn } from './bench-context.ts'

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
type LoadTestRound = LoadTestResult & { readonly cpuTimeMs: number }

const calls = [
  { what: 'JSON of a user', path: '/api/users/1' },
  { what: 'listing of 10 entries', path: '/api/resources/ten/' },
] as const

/**
 * Measures small requests of a signed-in user, compared with a minimal `node:http` server that sends the same
 * responses. Each server runs in its own process.
 */
export async function benchSmall(): Promise<readonly BenchResult[]> {
  const loadClient = await compileProgram('load-client')
  if (loadClient === null) return []
  const ten = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`entry-${n}.txt`, 'small']))
  const server = await runServer({ files: { ten }, people: [ada], program })
  try {
    const headers = await logIn(server)
    const results: BenchResult[] = []
    for (const { what: title, path } of calls) {
      const ours: MeasuredServer = { port: server.port, pid: server.pid(), path, headers }
      const bare = await startBare(await responseOf(ours))
      const loadRounds = await compare(loadClient, ours, { ...ours, port: bare.port, pid: bare.pid })
      bare.stop()
      results.push(...rowsOf(title, loadRounds))
    }
    return results
  } finally {
    await server.remove()
  }
}

async function compare(loadClient: string, ours: MeasuredServer, bare: MeasuredServer) {
  const runRound = async (
    { pid, ...measuredServer }: MeasuredServer,
    forSeconds: number,
  ): Promise<LoadTestRound> => {
    const before = cpuTimeMs(pid)
    const result = await runLoad(loadClient, { ...measuredServer, connections, seconds: forSeconds })
    return { ...result, cpuTimeMs: cpuTimeMs(pid) - before }
  }
  for (const measuredServer of [ours, bare]) await runRound(measuredServer, 2 * seconds)
  const loadRounds: { readonly ours: LoadTestRound[]; readonly bare: LoadTestRound[] } = {
    ours: [],
    bare: [],
  }
  for (let round = 0; round < rounds; round += 1) {
    loadRounds.ours.push(await runRound(ours, seconds))
    loadRounds.bare.push(await runRound(bare, seconds))
  }
  return loadRounds
}

function rowsOf(
  title: string,
  loadRounds: { readonly ours: LoadTestRound[]; readonly bare: LoadTestRound[] },
): readonly BenchResult[] {
  const row = (name: string, unit: string, figure: (round: LoadTestRound) => number): BenchResult => ({
    what: `${title}, ${connections} connections: ${name}`,
    ours: median(loadRounds.ours.map(figure)),
    floor: median(loadRounds.bare.map(figure)),
    unit,
    against: 'bare node:http, same bytes',
    better: unit === 'calls/s' ? 'more' : 'less',
    // The baseline does no work for its responses, so most of its figures are an upper bound and not a requirement.
    bar: name === '99th of 100' && title === calls[0].what ? 1.3 : null,
  })
  return [
    row('50th of 100', 'ms', ({ medianMs }) => medianMs),
    row('99th of 100', 'ms', ({ percentile99Ms }) => percentile99Ms),
    row('a second', 'calls/s', ({ calls, allMs }) => calls / (allMs / 1000)),
    row('processor time of a call', 'µs', ({ calls, cpuTimeMs }) => (cpuTimeMs * 1000) / calls),
  ]
}

type RecordedResponse = { readonly headers: ResponseHeaders; readonly body: string }

/** Headers that `node:http` adds itself. They are not recorded, because the minimal server adds them too. */
const automaticHeaders = ['date', 'connection', 'keep-alive', 'transfer-encoding']

async function responseOf({ port, path, headers }: MeasuredServer): Promise<RecordedResponse> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  const body = await response.text()
  const recordedHeaders = [...response.headers].filter(([name]) => !automaticHeaders.includes(name))
  return {
    headers: { ...Object.fromEntries(recordedHeaders), 'content-length': String(Buffer.byteLength(body)) },
    body,
  }
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
