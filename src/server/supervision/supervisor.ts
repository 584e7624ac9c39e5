import { fork, type ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { forwardLines } from './forward-lines.ts'
import { heapMiBOf } from './process-count.ts'
import { servingProcessVariable, type ListeningMessage, type ServingProcess } from './serving-process.ts'

export type SupervisorOptions = {
  readonly count: number
  readonly port: number
  /** The program and its arguments, which each process gets. */
  readonly program: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly log: (line: string) => void
  /** Write one line to the standard output and the standard error of this process. */
  readonly output: { readonly stdout: (line: string) => void; readonly stderr: (line: string) => void }
  /** Called once, when all processes accept connections. */
  readonly onListening: (message: ListeningMessage) => void
}

/** Several processes that serve one state on one port. */
export type Supervisor = {
  /** Resolves with the exit code when all processes have ended: after a stop, or when the first one cannot start. */
  readonly ended: Promise<number>
  /** Sends a signal to all processes. One that stops them is final: none is started again. */
  readonly signal: (signal: NodeJS.Signals) => void
}

/** The time in milliseconds after which a process that has ended is started again, which doubles with each end. */
const minDelayMs = 100
const maxDelayMs = 30_000
/** The running time in milliseconds after which a process counts as healthy, so that the delay begins anew. */
const healthyMs = 60_000
/** The time in milliseconds after a stop after which a process is killed. A server needs 8 s at most. */
const killMs = 12_000
/** The time in milliseconds for which the output of a process is read after its end. */
const outputMs = 300
/** The size of Node's thread pool of a process, of which all together have those of one server. */
const minPoolSize = 8
const poolSizeOfOne = 64

/** The processes of a supervisor. */
type SupervisorState = SupervisorOptions & {
  readonly children: Set<ChildProcess>
  /** The processes that accept connections, and therefore handle signals. */
  readonly listening: Set<ChildProcess>
  readonly restarts: Set<NodeJS.Timeout>
  /** Resolves `ended`. */
  readonly end: (exitCode: number) => void
  sharedPort: number
  /** The number of times that a process has begun to accept connections. */
  starts: number
  isStopping: boolean
  exitCode: number
}

/**
 * Starts processes that serve together, and starts each again that ends by itself. The first one creates or migrates the
 * state before the others start.
 */
export function supervise(options: SupervisorOptions): Supervisor {
  const { promise: ended, resolve: end } = Promise.withResolvers<number>()
  const state: SupervisorState = {
    ...options,
    children: new Set(),
    listening: new Set(),
    restarts: new Set(),
    end,
    sharedPort: options.port,
    starts: 0,
    isStopping: false,
    exitCode: 0,
  }
  start(state, { number: 1, delayMs: minDelayMs })
  return {
    ended,
    signal(signal) {
      if (signal !== 'SIGHUP' && !state.isStopping) stop(state)
      // A starting process would end with SIGHUP, and opens the logs later anyway.
      const targets = signal === 'SIGHUP' ? state.listening : state.children
      for (const child of targets) child.kill(signal)
    },
  }
}

/** `delayMs` is the time after which the process is started again when it ends soon. */
type ProcessStart = { readonly number: number; readonly delayMs: number }

/** The end of a process. `failure` is the reason for which the system could not start it. */
type ProcessEnd = {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly failure?: Error
}

function start(state: SupervisorState, { number, delayMs }: ProcessStart): void {
  const { count, onListening, children, listening } = state
  const startedAtMs = performance.now()
  let child: ChildProcess
  try {
    child = startProcess(state, { port: state.sharedPort, count, number })
  } catch (error) {
    // `fork` throws where the system refuses for some reasons, such as a lack of memory, and reports others later.
    const failure = error instanceof Error ? error : new Error(String(error))
    afterEnd(state, { code: 1, signal: null, failure, hasListened: false, number, delayMs })
    return
  }
  children.add(child)
  child.on('message', (message: ListeningMessage) => {
    // This process got the signal as well. Processes that are started now would not get it.
    if (state.isStopping) return
    state.sharedPort = message.port
    state.starts += 1
    listening.add(child)
    if (state.starts === 1) for (let n = 2; n <= count; n += 1) start(state, { number: n, delayMs })
    if (state.starts === count) onListening(message)
  })
  onceEnded(child, (end) => {
    const hasListened = listening.delete(child)
    children.delete(child)
    const isHealthy = performance.now() - startedAtMs > healthyMs
    const nextDelayMs = isHealthy ? minDelayMs : delayMs
    afterEnd(state, { ...end, pid: child.pid, hasListened, number, delayMs: nextDelayMs })
  })
}

/** Starts a process again that has ended by itself, and resolves `ended` after the last one. */
function afterEnd(
  state: SupervisorState,
  end: ProcessEnd & ProcessStart & { readonly pid?: number | undefined; readonly hasListened: boolean },
): void {
  const { code, signal, failure, pid, hasListened, number, delayMs } = end
  if (state.isStopping) {
    // A starting process may not handle the signal yet, and nothing was lost with it.
    if (hasListened) state.exitCode = Math.max(state.exitCode, code ?? 1)
    if (state.children.size === 0) state.end(state.exitCode)
    return
  }
  const isFirst = state.starts === 0
  const next = isFirst ? '' : `, and is started again in ${delayMs} ms`
  if (failure !== undefined) state.log(`A process could not be started (${failure.message})${next}`)
  else if (!isFirst) state.log(`Process ${pid} ended with ${signal ?? `code ${code}`}${next}`)
  // When the first process cannot start, no other one can.
  if (isFirst) state.end(code ?? 1)
  else startLater(state, { number, delayMs })
}

/** Starts a process after `delayMs`, and after twice the time when it ends soon again. */
function startLater(state: SupervisorState, { number, delayMs }: ProcessStart): void {
  const timer = setTimeout(() => {
    state.restarts.delete(timer)
    start(state, { number, delayMs: Math.min(delayMs * 2, maxDelayMs) })
  }, delayMs)
  state.restarts.add(timer)
}

/** Starts no process any more, and kills those that do not end in time. */
function stop(state: SupervisorState): void {
  state.isStopping = true
  for (const timer of state.restarts) clearTimeout(timer)
  if (state.children.size === 0) state.end(state.exitCode)
  setTimeout(() => {
    for (const child of state.children) child.kill('SIGKILL')
  }, killMs).unref()
}

/**
 * Calls the listener when a process has ended and its output was read. A program that it has started may keep its output
 * open, which is waited for a moment only.
 */
function onceEnded(child: ChildProcess, listener: (end: ProcessEnd) => void): void {
  // Without a process there is no `exit`. Later errors are those of a signal or a message, which the end explains.
  child.on('error', (failure) => {
    if (child.pid === undefined) listener({ code: 1, signal: null, failure })
  })
  child.once('exit', (code, signal) => {
    let isCalled = false
    const call = (): void => {
      if (!isCalled) listener({ code, signal })
      isCalled = true
    }
    child.once('close', call)
    setTimeout(call, outputMs)
  })
}

function startProcess(
  { program, args, env, count, output }: SupervisorOptions,
  description: ServingProcess,
): ChildProcess {
  const poolSize = Math.max(
    minPoolSize,
    Math.floor(Number(env['UV_THREADPOOL_SIZE'] ?? poolSizeOfOne) / count),
  )
  const child = fork(program, args, {
    execArgv: [...process.execArgv, `--max-old-space-size=${heapMiBOf(count)}`],
    env: {
      ...env,
      UV_THREADPOOL_SIZE: String(poolSize),
      [servingProcessVariable]: JSON.stringify(description),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  // Without file descriptors there is no process, and Node leaves these undefined, against its types.
  const { stdout, stderr }: { readonly stdout?: Readable | null; readonly stderr?: Readable | null } = child
  if (stdout) forwardLines(stdout, output.stdout)
  if (stderr) forwardLines(stderr, output.stderr)
  return child
}
