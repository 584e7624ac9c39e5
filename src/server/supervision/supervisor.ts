import { fork, type ChildProcess } from 'node:child_process'
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
  start(state, { isFirst: true, delayMs: minDelayMs })
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
type ProcessStart = { readonly isFirst: boolean; readonly delayMs: number }

function start(state: SupervisorState, { isFirst, delayMs }: ProcessStart): void {
  const { count, log, onListening, children, listening } = state
  const child = startProcess(state, { port: state.sharedPort, count, isFirst })
  const startedAtMs = performance.now()
  children.add(child)
  child.on('message', (message: ListeningMessage) => {
    state.sharedPort = message.port
    state.starts += 1
    listening.add(child)
    if (state.starts === 1) for (let n = 1; n < count; n += 1) start(state, { isFirst: false, delayMs })
    if (state.starts === count) onListening(message)
  })
  child.on('error', (error) => log(`A process could not be started: ${error.message}`))
  onceEnded(child, (code, signal) => {
    const hasListened = listening.delete(child)
    children.delete(child)
    // When the first process cannot start, no other one can.
    if (state.starts === 0) state.end(code ?? 1)
    else if (state.isStopping) {
      // A starting process ends with the signal itself.
      state.exitCode = Math.max(state.exitCode, code ?? (hasListened ? 1 : 0))
      if (children.size === 0) state.end(state.exitCode)
    } else {
      const isHealthy = performance.now() - startedAtMs > healthyMs
      const ownDelayMs = isHealthy ? minDelayMs : delayMs
      const reason = signal ?? `code ${code}`
      log(`Process ${child.pid} ended with ${reason}, and is started again in ${ownDelayMs} ms`)
      startLater(state, ownDelayMs)
    }
  })
}

function startLater(state: SupervisorState, afterMs: number): void {
  const timer = setTimeout(() => {
    state.restarts.delete(timer)
    start(state, { isFirst: false, delayMs: Math.min(afterMs * 2, maxDelayMs) })
  }, afterMs)
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
function onceEnded(
  child: ChildProcess,
  listener: (code: number | null, signal: NodeJS.Signals | null) => void,
): void {
  child.once('exit', (code, signal) => {
    let isCalled = false
    const call = (): void => {
      if (!isCalled) listener(code, signal)
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
  if (child.stdout !== null) forwardLines(child.stdout, output.stdout)
  if (child.stderr !== null) forwardLines(child.stderr, output.stderr)
  return child
}
