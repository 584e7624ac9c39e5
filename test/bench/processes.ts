import { readFileSync } from 'node:fs'
import { ada, runServer, type RunningServer } from '../kit/run-server.ts'
import { cpuTimeMs, runLoad } from './load-client.ts'
import { compileProgram } from './peers.ts'
import { median, type BenchResult } from './table.ts'
import { program, logIn } from './bench-context.ts'

const connections = 64
const rounds = 5
const seconds = 1.5
const body = 'small '.repeat(683).slice(0, 4096)

/** A request that is repeated. */
type RepeatedCall = {
  readonly what: string
  readonly path: string
  readonly method?: 'POST'
  readonly body?: string
  readonly connections: number
}

/** A sequence of `#` in a path is replaced by the number of the call. Uploads of one user wait beyond 20 small ones. */
const calls: readonly RepeatedCall[] = [
  { what: 'JSON of a user', path: '/api/users/1', connections },
  { what: 'download of 4 KiB', path: '/api/raw/small.txt', connections },
  {
    what: 'upload of 4 KiB',
    path: '/api/resources/up/#####.txt?override=true',
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
    const measured = [
      { server: one, headers: await logIn(one), rounds: [] as MeasuredRound[] },
      { server: two, headers: await logIn(two), rounds: [] as MeasuredRound[] },
    ] as const
    const results: BenchResult[] = []
    for (const { what, connections: count, ...call } of calls) {
      for (const target of measured) target.rounds.length = 0
      // The first round warms up the programs and is not counted.
      for (let round = 0; round <= rounds; round += 1)
        for (const { server, headers, rounds: own } of measured) {
          const load = { ...call, port: server.port, headers, connections: count, seconds }
          const result = await measureRound(loadClient, server, load)
          if (round > 0) own.push(result)
        }
      const row = (name: string, unit: string, figure: (round: MeasuredRound) => number): BenchResult => ({
        what: `${what}, ${count} connections, two processes: ${name}`,
        ours: median(measured[1].rounds.map(figure)),
        floor: median(measured[0].rounds.map(figure)),
        unit,
        against: 'one process',
        better: unit === 'calls/s' ? 'more' : 'less',
        bar: null,
      })
      results.push(
        row('a second', 'calls/s', ({ perSecond }) => perSecond),
        row('processor time of a call', 'µs', ({ processorUs }) => processorUs),
      )
    }
    return results
  } finally {
    await Promise.all([one.remove(), two.remove()])
  }
}

async function measureRound(
  loadClient: string,
  server: RunningServer,
  load: Parameters<typeof runLoad>[1],
): Promise<MeasuredRound> {
  const pids = [server.pid(), ...childrenOf(server.pid())]
  const timeOf = (): number => pids.reduce((sum, pid) => sum + cpuTimeMs(pid), 0)
  const before = timeOf()
  const { calls: completed, allMs } = await runLoad(loadClient, load)
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
