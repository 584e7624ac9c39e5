import { readFileSync } from 'node:fs'
import { ada, runServer, type RunningServer } from '../kit/run-server.ts'
import { cpuTimeMs, runLoad } from './load-client.ts'
import { compileProgram } from './peers.ts'
import { median, type BenchResult } from './table.ts'
import { program, logIn } from './bench-context.ts'

const connections = 64
const rounds = 5
/** The duration of a round. Each of two processes gets half of the calls, so that its code is compiled for speed only after twice the time. */
const seconds = 4
const body = 'small '.repeat(683).slice(0, 4096)

/** A request that is repeated. */
type RepeatedCall = {
  readonly what: string
  /** Returns the path of a round. */
  readonly pathOf: (round: number) => string
  readonly method?: 'POST'
  readonly body?: string
  readonly connections: number
}

/** A sequence of `#` in a path is replaced by the number of the call. Small uploads of one user wait beyond 20. */
const calls: readonly RepeatedCall[] = [
  { what: 'JSON of a user', pathOf: () => '/api/users/1', connections },
  { what: 'download of 4 KiB', pathOf: () => '/api/raw/small.txt', connections: 20 },
  {
    what: 'upload of 4 KiB',
    pathOf: (round) => `/api/resources/up/${round}-#####.txt`,
    method: 'POST',
    body,
    connections: 20,
  },
]

type MeasuredRound = { readonly perSecond: number; readonly processorUs: number }

/**
 * Measures small requests to one process and to two that serve together. The load client uses a processor, too, so that
 * two processes reach twice the figure only on a machine with more than two.
 */
export async function benchProcesses(): Promise<readonly BenchResult[]> {
  const loadClient = await compileProgram('load-client')
  if (loadClient === null) return []
  const options = { files: { up: {}, 'small.txt': body }, people: [ada], program }
  const one = await runServer(options)
  const two = await runServer({ ...options, flags: ['--processes', '2'] })
  try {
    const targets = [
      { server: one, headers: await logIn(one) },
      { server: two, headers: await logIn(two) },
    ]
    const results: BenchResult[] = []
    for (const call of calls) results.push(...rowsOf(call, await measure(loadClient, targets, call)))
    return results
  } finally {
    await Promise.all([one.remove(), two.remove()])
  }
}

type Target = { readonly server: RunningServer; readonly headers: Readonly<Record<string, string>> }

/** Measures the targets in turn. Returns the rounds of each. */
async function measure(
  loadClient: string,
  targets: readonly Target[],
  call: RepeatedCall,
): Promise<readonly (readonly MeasuredRound[])[]> {
  const measured = targets.map((target) => ({ ...target, rounds: [] as MeasuredRound[] }))
  // The first round warms up the programs and is not counted.
  for (let round = 0; round <= rounds; round += 1)
    for (const target of measured) {
      const result = await measureRound(loadClient, target, { ...call, path: call.pathOf(round) })
      if (round > 0) target.rounds.push(result)
    }
  return measured.map((target) => target.rounds)
}

function rowsOf(
  call: RepeatedCall,
  [ofOne = [], ofTwo = []]: readonly (readonly MeasuredRound[])[],
): readonly BenchResult[] {
  const row = (name: string, unit: string, figure: (round: MeasuredRound) => number): BenchResult => ({
    what: `${call.what}, ${call.connections} connections, two processes: ${name}`,
    ours: median(ofTwo.map(figure)),
    floor: median(ofOne.map(figure)),
    unit,
    against: 'one process',
    better: unit === 'calls/s' ? 'more' : 'less',
    bar: null,
  })
  return [
    row('a second', 'calls/s', ({ perSecond }) => perSecond),
    row('processor time of a call', 'µs', ({ processorUs }) => processorUs),
  ]
}

async function measureRound(
  loadClient: string,
  { server, headers }: Target,
  call: Omit<RepeatedCall, 'what' | 'pathOf'> & { readonly path: string },
): Promise<MeasuredRound> {
  const pids = [server.pid(), ...childrenOf(server.pid())]
  const timeOf = (): number => pids.reduce((sum, pid) => sum + cpuTimeMs(pid), 0)
  const before = timeOf()
  const { calls: completed, allMs } = await runLoad(loadClient, {
    ...call,
    port: server.port,
    headers,
    seconds,
  })
  return { perSecond: completed / (allMs / 1000), processorUs: ((timeOf() - before) * 1000) / completed }
}

/** Returns the ids of the processes that a process has started. Empty on systems without `/proc`. */
function childrenOf(pid: number): readonly number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    return text === '' ? [] : text.split(' ').map(Number)
  } catch {
    return []
  }
}
