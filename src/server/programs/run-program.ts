import { setTimeout as after } from 'node:timers/promises'
import type { ProcessStarter, ProgramProcess } from './process-starter.ts'
import { readOutput, type OutputListener } from './read-output.ts'

export type ProgramOptions = {
  /** The absolute path of the program. Neither the program nor its arguments are passed through a shell. */
  readonly program: string
  readonly args: readonly string[]
  /** The complete environment of the program. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The descriptor that the program inherits as its standard input. By default, the standard input is empty. */
  readonly input?: number | undefined
  /** The absolute path of the working directory. The default is the server's own working directory. */
  readonly cwd?: string
  /** The time limit in milliseconds. */
  readonly timeMs: number
  /** When this signal aborts, the program and its whole process group are ended. */
  readonly signal?: AbortSignal | undefined
  /** Receives the output as it arrives. Without this function, output is discarded. */
  readonly onOutput?: OutputListener | undefined
  /**
   * The treatment of processes of the group that still run after the program has ended: they are killed, or they may
   * continue.
   */
  readonly leftoverProcesses: 'killed' | 'kept'
  /** Called with the process as soon as the process runs. The sandbox uses this function to access its pipes. */
  readonly onStart?: ((child: ProgramProcess) => void) | undefined
  /**
   * Ends processes outside of the program's group. Called before the group is ended, and awaited for at most
   * `termGraceMs`.
   */
  readonly endOtherProcesses?: (() => Promise<void>) | undefined
  /** The number of pipes in addition to standard input, output and error. Their file descriptors start at 3. */
  readonly extraPipes?: number
}

/** The way in which a program ended. */
export type ProgramOutcome =
  | { readonly kind: 'exited'; readonly status: number }
  | { readonly kind: 'signalled'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'time-limit' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'not-started'; readonly cause: unknown }

/**
 * The time in milliseconds between SIGTERM and SIGKILL. It is short, because the request that ends a user session waits
 * until the programs of this session have ended.
 */
const termGraceMs = 500
/**
 * The maximum time in milliseconds that the server waits after SIGKILL. A process that still runs afterwards hangs in
 * the kernel and cannot be ended.
 */
const killWaitMs = 500

/**
 * Runs a program in its own process group. Never rejects: failures are values of
 * `ProgramOutcome`. Resolves when the program has ended and all of its output was delivered, or when the time limit or
 * the signal has ended its whole group.
 */
export async function runProgram(start: ProcessStarter, options: ProgramOptions): Promise<ProgramOutcome> {
  if (options.signal?.aborted === true) return { kind: 'aborted' }
  const child = startProgramOf(start, options)
  if (child instanceof Error) return { kind: 'not-started', cause: child }
  const finished = new AbortController()
  try {
    return await waitForEnd(child, options, finished.signal)
  } finally {
    finished.abort()
    child.stdio.forEach((stream) => stream?.destroy())
  }
}

function startProgramOf(
  start: ProcessStarter,
  { program, args, env, cwd, input, onOutput, extraPipes = 0 }: ProgramOptions,
): ProgramProcess | Error {
  const output = onOutput === undefined ? 'ignore' : 'pipe'
  const extra = Array.from({ length: extraPipes }, () => 'pipe' as const)
  try {
    return start({ program, args, env, cwd, stdio: [input ?? 'ignore', output, output, ...extra] })
  } catch (cause) {
    // A starter throws when arguments are too long or contain a NUL, for example.
    return cause instanceof Error ? cause : new Error(String(cause))
  }
}

async function waitForEnd(
  child: ProgramProcess,
  options: ProgramOptions,
  finished: AbortSignal,
): Promise<ProgramOutcome> {
  let ownEnd: ProgramOutcome | undefined
  const exited = exitOf(child)
  const output = readOutput(child, options.onOutput)
  const endedByItself = exited.then(async (ending) => {
    ownEnd = ending
    if (options.leftoverProcesses === 'killed') signalGroup(child, 'SIGKILL')
    await output.drain()
    return ending
  })
  if (child.pid !== undefined) options.onStart?.(child)
  const first = await Promise.race([
    endedByItself,
    abortOf(options.signal, finished),
    output.failed.then((): ProgramOutcome => ({ kind: 'aborted' })),
    after(options.timeMs, { kind: 'time-limit' } as const, { signal: finished }).catch(never),
  ])
  if (first === ownEnd) return first
  const endBeforeInterruption = ownEnd
  output.stop()
  await waitAtMost(options.endOtherProcesses?.() ?? Promise.resolve(), termGraceMs)
  await endGroup(child, exited)
  // When the time limit is reached while only the remaining output is being delivered, the program has already ended,
  // so the result is the outcome of the program.
  return first.kind === 'time-limit' ? (endBeforeInterruption ?? first) : first
}

function exitOf(child: ProgramProcess): Promise<ProgramOutcome> {
  return new Promise((resolve) => {
    child.once('exit', (status, signal) =>
      resolve(signal === null ? { kind: 'exited', status: status ?? 0 } : { kind: 'signalled', signal }),
    )
    child.on('error', (cause) => {
      if (child.pid === undefined) resolve({ kind: 'not-started', cause })
    })
  })
}

const abortOf = (signal: AbortSignal | undefined, finished: AbortSignal): Promise<ProgramOutcome> =>
  new Promise((resolve) => {
    signal?.addEventListener('abort', () => resolve({ kind: 'aborted' }), { once: true, signal: finished })
  })

/** Ends a process group: sends SIGTERM, waits, and sends SIGKILL. */
async function endGroup(child: ProgramProcess, exited: Promise<unknown>): Promise<void> {
  signalGroup(child, 'SIGTERM')
  await waitAtMost(exited, termGraceMs)
  signalGroup(child, 'SIGKILL')
  await waitAtMost(exited, killWaitMs)
}

async function waitAtMost(event: Promise<unknown>, timeoutMs: number): Promise<void> {
  const waiting = new AbortController()
  await Promise.race([event, after(timeoutMs, null, { signal: waiting.signal }).catch(never)])
  waiting.abort()
}

const never = (): Promise<never> => new Promise(() => {})

/** Sends a signal to the program's process group, which also contains the processes that the program has started. */
function signalGroup({ pid }: ProgramProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // The group has no processes any more.
  }
}
