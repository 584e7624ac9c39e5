import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { folderInMemory } from './temporary-folder.ts'
import { threadPoolSize } from '../../bin/runtime.js'
import { preparedStatesVariable } from './prepared-states.ts'
import { makeTree, type FileTree } from './tree.ts'

/** A user of the test server. `flags` are flags for `users add`, such as `--perm.create=false`. */
export type TestUser = {
  readonly name: string
  readonly password: string
  readonly flags?: readonly string[]
}

export const ada: TestUser = { name: 'ada', password: 'ada has a long password', flags: ['--perm.admin'] }
export const ann: TestUser = { name: 'ann', password: 'ann has a long password' }
export const bea: TestUser = {
  name: 'bea',
  password: 'bea has a long password',
  flags: ['create', 'rename', 'modify', 'delete', 'share', 'download'].map((flag) => `--perm.${flag}=false`),
}

/** A server that runs in a separate process. */
export type RunningServer = {
  /** The URL with the base path, without a slash at the end. */
  readonly url: string
  readonly port: number
  /** The served folder. */
  readonly folder: string
  readonly database: string
  readonly output: () => string
  /** Returns the id of the running server process, or 0 when the server is stopped. */
  readonly pid: () => number
  stop(signal?: NodeJS.Signals): Promise<number | null>
  start(): Promise<void>
  /** Runs a subcommand of the program on this server's state and returns its output. */
  cli(...args: readonly string[]): Promise<string>
  /** Stops the server and removes its folders. */
  remove(): Promise<void>
}

/** Options of a test server: its files, its state and its flags. */
export type ServerOptions = {
  readonly files?: FileTree
  /** An existing folder to serve instead of `files`. The folder is not removed after the test. */
  readonly folder?: string
  /** An existing folder for the server's own files. The folder is not removed after the test. */
  readonly state?: string
  readonly people?: readonly TestUser[]
  /** The URL of a database on a server, to use instead of a database file. */
  readonly database?: string
  /**
   * True when no `config init` is needed, because another server has set up the database, or this server sets it up at
   * its first start.
   */
  readonly isSetUpElsewhere?: boolean
  readonly basePath?: string
  /** The port of another server, with which this one shares it. By default, the server has a port of its own. */
  readonly port?: number
  readonly flags?: readonly string[]
  /** Additional flags for `config init`. */
  readonly init?: readonly string[]
  /** The command that starts the program. By default, this is the bundled program without its launcher. */
  readonly program?: readonly string[]
}

/**
 * The maximum time in milliseconds that a server needs to stop. Requests in flight may continue for 10 seconds of it.
 */
const stopMs = 40_000

const bundle = path.resolve(import.meta.dirname, '../../dist/server/main.js')

/**
 * Returns the command that starts the bundled program, which takes a quarter of the time that the source needs. Throws
 * an error when there is no bundle.
 */
export function bundledProgram(): readonly string[] {
  if (!existsSync(bundle)) throw new Error('The program is not built. Run `npm run build` first.')
  return [process.execPath, bundle]
}

/** Starts the real program as a separate process, with a real folder, real users and a real database. */
export async function runServer(options: ServerOptions = {}): Promise<RunningServer> {
  const state = options.state ?? (await mkdtemp(path.join(folderInMemory(), 'stowage-state-')))
  const folder = options.folder ?? (await mkdtemp(path.join(tmpdir(), 'stowage-files-')))
  if (options.files) await makeTree(folder, options.files)
  const database = options.database ?? path.join(state, 'stowage.db')
  const program = options.program ?? bundledProgram()
  const port = options.port ?? (await freePort())
  const basePath = options.basePath ?? ''
  const cli = (...args: readonly string[]) => run([...program, ...args, '-d', database])
  if (options.state !== undefined || options.database !== undefined) {
    if (!options.isSetUpElsewhere) await setUp(program, options, database)
  } else if (!options.isSetUpElsewhere) {
    await fillState(state, program, options)
  }
  let child: ChildProcess | null = null
  let output = ''
  const args = [
    '-d',
    database,
    ...(options.database === undefined ? [] : ['--stateDir', state]),
    '-r',
    folder,
    '-a',
    '127.0.0.1',
    '-p',
    String(port),
    ...(basePath ? ['-b', basePath] : []),
  ]
  const url = `http://127.0.0.1:${port}${basePath}`
  const start = async () => {
    const outputBefore = output.length
    child = spawn(program[0]!, [...program.slice(1), ...args, ...(options.flags ?? [])], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // The launcher sets the same size of the thread pool when it starts the server.
      env: { UV_THREADPOOL_SIZE: threadPoolSize, ...process.env },
    })
    child.stdout?.on('data', (text) => (output += text))
    child.stderr?.on('data', (text) => (output += text))
    // A server with which this one shares its port would answer, too.
    await waitUntilListening(child, () => output.slice(outputBefore))
    await waitUntilHealthy(`${url}/health`, child, () => output)
  }
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    const stopping = child
    child = null
    if (!stopping || (stopping.exitCode ?? stopping.signalCode) !== null) return stopping?.exitCode ?? null
    const ended = new Promise<number | null>((resolve, reject) => {
      const deadline = setTimeout(() => reject(new Error(`the server does not stop: ${output}`)), stopMs)
      stopping.once('exit', (code) => {
        clearTimeout(deadline)
        resolve(code)
      })
    })
    stopping.kill(signal)
    return ended
  }
  const remove = async () => {
    await stop('SIGKILL')
    if (!options.state) await rm(state, { recursive: true, force: true })
    if (!options.folder) await rm(folder, { recursive: true, force: true })
  }
  await start()
  return {
    url,
    port,
    folder,
    database,
    output: () => output,
    pid: () => child?.pid ?? 0,
    stop,
    start,
    cli,
    remove,
  }
}

async function setUp(program: readonly string[], options: ServerOptions, database: string): Promise<void> {
  await run([...program, 'config', 'init', ...(options.init ?? []), '-d', database])
  for (const { name, password, flags } of options.people ?? [ada, ann, bea])
    await run([...program, 'users', 'add', name, password, ...(flags ?? []), '-d', database])
}

/**
 * Writes the state of a server before its first start into an empty folder. Each command of the setup starts the
 * program, so a run of tests makes each state once, and copies it afterwards.
 */
async function fillState(state: string, program: readonly string[], options: ServerOptions): Promise<void> {
  const prepared = process.env[preparedStatesVariable]
  if (prepared === undefined) return setUp(program, options, path.join(state, 'stowage.db'))
  const key = JSON.stringify([program, options.init, options.people])
  const source = path.join(prepared, createHash('sha256').update(key).digest('hex'))
  if (!existsSync(source)) {
    const unfinished = await mkdtemp(`${source}-`)
    await setUp(program, options, path.join(unfinished, 'stowage.db'))
    // Another process may have finished the same state meanwhile.
    await rename(unfinished, source).catch(() => rm(unfinished, { recursive: true }))
  }
  await cp(source, state, { recursive: true })
}

async function run(args: readonly string[]): Promise<string> {
  const child = spawn(args[0]!, args.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (output += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${args.slice(1).join(' ')} ended with ${String(code)}: ${output}`)
  return output
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

/**
 * Returns a port on which several servers can listen one after the other. It is outside the ports that the system gives to
 * connections, which could take it while no server listens.
 */
export async function unusedPort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    if (await canListen(port)) return port
  }
}

const canListen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })

async function waitUntilListening(child: ChildProcess, output: () => string): Promise<void> {
  for (let attempts = 0; attempts < 1000 && !output().includes('Listening on '); attempts += 1) {
    const ended = child.exitCode ?? child.signalCode
    if (ended !== null) throw new Error(`the server ended with ${ended}: ${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function waitUntilHealthy(url: string, child: ChildProcess, output: () => string): Promise<void> {
  for (let attempts = 0; attempts < 400; attempts += 1) {
    const ended = child.exitCode ?? child.signalCode
    if (ended !== null) throw new Error(`the server ended with ${ended}: ${output()}`)
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => null)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`the server did not respond: ${output()}`)
}
