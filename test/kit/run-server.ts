import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { threadPoolSize } from '../../bin/runtime.js'
import { makeTree, type Tree } from './tree.ts'

/** A person that the server knows, with the flags of the command line (`--perm.create=false` and the like). */
export type Person = { readonly name: string; readonly password: string; readonly flags?: readonly string[] }

export const ada: Person = { name: 'ada', password: 'ada has a long password', flags: ['--perm.admin'] }
export const ann: Person = { name: 'ann', password: 'ann has a long password' }
export const bea: Person = {
  name: 'bea',
  password: 'bea has a long password',
  flags: ['create', 'rename', 'modify', 'delete', 'share', 'download'].map((flag) => `--perm.${flag}=false`),
}

export type RunningServer = {
  /** Address with the base path, without a slash at the end. */
  readonly url: string
  readonly port: number
  /** The served folder. */
  readonly folder: string
  readonly database: string
  readonly output: () => string
  /** Of the process that runs now; 0 for none. */
  readonly pid: () => number
  stop(signal?: NodeJS.Signals): Promise<number | null>
  start(): Promise<void>
  /** Runs another verb of the command line on the same state; gives its output. */
  cli(...words: readonly string[]): Promise<string>
  /** Stops it and removes its folders. */
  remove(): Promise<void>
}

export type ServerWish = {
  readonly files?: Tree
  /** A folder that exists already, in place of `files`; it is not removed. */
  readonly folder?: string
  /** A folder for the server's own files that exists already; it is not removed. */
  readonly state?: string
  readonly people?: readonly Person[]
  /** The address of a database, in place of a file of its own. */
  readonly database?: string
  /** Another server has set the database up, or this one does at its first start. */
  readonly isSetUpElsewhere?: boolean
  readonly basePath?: string
  readonly flags?: readonly string[]
  /** Further flags of `config init`. */
  readonly init?: readonly string[]
  /** The program: the source by default. */
  readonly program?: readonly string[]
}

const project = path.resolve(import.meta.dirname, '../..')

/** Starts the real program, as its own process, on a real folder with real people in a real database. */
export async function runServer(wish: ServerWish = {}): Promise<RunningServer> {
  const state = wish.state ?? (await mkdtemp(path.join(tmpdir(), 'stowage-state-')))
  const folder = wish.folder ?? (await mkdtemp(path.join(tmpdir(), 'stowage-files-')))
  if (wish.files) await makeTree(folder, wish.files)
  const database = wish.database ?? path.join(state, 'stowage.db')
  const program = wish.program ?? [process.execPath, path.join(project, 'src/server/main.ts')]
  const port = await freePort()
  const basePath = wish.basePath ?? ''
  const cli = (...words: readonly string[]) => run([...program, ...words, '-d', database])
  if (!wish.isSetUpElsewhere) await setUp(cli, wish)
  let child: ChildProcess | null = null
  let output = ''
  const words = [
    '-d',
    database,
    ...(wish.database === undefined ? [] : ['--stateDir', state]),
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
    child = spawn(program[0]!, [...program.slice(1), ...words, ...(wish.flags ?? [])], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // As the launcher starts it.
      env: { UV_THREADPOOL_SIZE: threadPoolSize, ...process.env },
    })
    child.stdout?.on('data', (text) => (output += text))
    child.stderr?.on('data', (text) => (output += text))
    await answers(`${url}/health`, child, () => output)
  }
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    const stopping = child
    child = null
    if (!stopping || stopping.exitCode !== null) return stopping?.exitCode ?? null
    const ended = new Promise<number | null>((resolve) => stopping.once('exit', (code) => resolve(code)))
    stopping.kill(signal)
    return ended
  }
  const remove = async () => {
    await stop('SIGKILL')
    if (!wish.state) await rm(state, { recursive: true, force: true })
    if (!wish.folder) await rm(folder, { recursive: true, force: true })
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

async function setUp(cli: RunningServer['cli'], wish: ServerWish): Promise<void> {
  await cli('config', 'init', ...(wish.init ?? []))
  for (const { name, password, flags } of wish.people ?? [ada, ann, bea])
    await cli('users', 'add', name, password, ...(flags ?? []))
}

async function run(words: readonly string[]): Promise<string> {
  const child = spawn(words[0]!, words.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (output += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${words.slice(1).join(' ')} ended with ${String(code)}: ${output}`)
  return output
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

async function answers(url: string, child: ChildProcess, output: () => string): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    const ended = child.exitCode ?? child.signalCode
    if (ended !== null) throw new Error(`the server ended with ${ended}: ${output()}`)
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`the server did not answer: ${output()}`)
}
