import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ada, runServer } from '../kit/run-server.ts'
import { memoryBytes } from './load-client.ts'
import { freePort } from './peers.ts'
import { measureAlternately, median, type BenchResult } from './table.ts'
import { program } from './bench-context.ts'

const rounds = 7
/**
 * The delay in ms between the start of the server and the measurement of its memory. After two seconds, the server is
 * idle.
 */
const idleDelayMs = 2000

/**
 * Measures the time from the start of the program to its first response, and its memory afterwards. The baseline is a
 * Node program that uses only `node:http`.
 */
export async function benchStart(): Promise<readonly BenchResult[]> {
  const state = await mkdtemp(path.join(tmpdir(), 'stowage-bench-start-'))
  try {
    const database = path.join(state, 'stowage.db')
    const memory: number[] = []
    const ours = async (): Promise<number> => {
      const port = await freePort()
      const args = ['-d', database, '-r', state, '-a', '127.0.0.1', '-p', String(port)]
      const { tookMs, bytes } = await startUntilFirstResponse([...program, ...args], port)
      memory.push(bytes)
      return tookMs
    }
    const startBare = async (): Promise<number> => {
      const port = await freePort()
      const script = `import('node:http').then((http) => http.createServer((_, response) => response.end('ok')).listen(${port}, '127.0.0.1'))`
      return (await startUntilFirstResponse([process.execPath, '-e', script], port)).tookMs
    }
    const times = await measureAlternately(rounds, ours, startBare)
    const withoutBaseline = { floor: null, against: '', better: 'less' } as const
    const against = 'node with node:http alone'
    return [
      { what: 'start to first answer', ...withoutBaseline, ours: times.ours, unit: 'ms', bar: 400 },
      { what: 'start to first answer', ...times, unit: 'ms', against, better: 'less', bar: null },
      {
        what: 'memory when nothing is done',
        ...withoutBaseline,
        ours: median(memory) / 1e6,
        unit: 'MB',
        bar: 100,
      },
      {
        ...withoutBaseline,
        what: 'memory after 100 listings',
        ours: (await memoryAfterUse()) / 1e6,
        unit: 'MB',
        bar: null,
      },
    ]
  } finally {
    await rm(state, { recursive: true, force: true })
  }
}

async function startUntilFirstResponse(
  [command = '', ...args]: readonly string[],
  port: number,
): Promise<{ readonly tookMs: number; readonly bytes: number }> {
  const start = performance.now()
  const child = spawn(command, args, { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    await waitForResponse(port, start + 30_000)
    const tookMs = performance.now() - start
    await new Promise((resolve) => setTimeout(resolve, idleDelayMs))
    return { tookMs, bytes: memoryBytes(child.pid ?? 0) }
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

/**
 * Polls the server until it responds. Polling is necessary because this process is not notified when the server begins
 * to listen.
 */
async function waitForResponse(port: number, untilMs: number): Promise<void> {
  while (performance.now() < untilMs) {
    const response = await fetch(`http://127.0.0.1:${port}/health`).catch(() => null)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  throw new Error('a server did not start')
}

async function memoryAfterUse(): Promise<number> {
  const server = await runServer({ files: { 'a.txt': 'a' }, people: [ada], program })
  try {
    const body = JSON.stringify({ username: ada.name, password: ada.password })
    const login = await fetch(`${server.url}/api/login`, { method: 'POST', body })
    const headers = { 'X-Auth': await login.text() }
    for (let n = 0; n < 100; n += 1)
      await (await fetch(`${server.url}/api/resources/`, { headers })).arrayBuffer()
    await new Promise((resolve) => setTimeout(resolve, idleDelayMs))
    return memoryBytes(server.pid())
  } finally {
    await server.remove()
  }
}
