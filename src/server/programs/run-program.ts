import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { setTimeout as after } from 'node:timers/promises'
import { readOutput, type OutputListener } from './read-output.ts'

export type ProgramOptions = {
  /** The absolute path of the program. Neither the program nor its arguments are passed through a shell. */
  readonly program: string
  readonly args: readonly string[]
  /** The complete environment of the program. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The absolute path of the working directory. The default is the server's own working directory. */
  readonly cwd?: string
  /** The time limit in milliseconds. */
  readonly timeMs: number
  /** Ends the program and its whole process group when the signal aborts. */
  readonly signal?: AbortSignal | undefined
  /** Receives the output as it arrives. Without this function, output is discarded. */
  readonly onOutput?: OutputListener | undefined
  /** Defines whether processes of the group that still run after the program's end are killed or continue. */
  readonly leftoverProcesses: 'killed' | 'let-be'
  /** Called with the process once it runs. The sandbox needs it for its pipes. */
  readonly onStart?: ((child: ChildProcess) => void) | undefined
  /**
   * Ends processes outside of the program's group. Called before the group is ended, and awaited for at most
   * `termGraceMs`.
   */
  readonly killMore?: (() => Promise<void>) | undefined
  /** The number of pipes in addition to standard input, output and error, from file descriptor 3 on. */
  readonly extraPipes?: number
}

/** The way in which a program ended. */
export type ProgramEnd =
  | { readonly kind: 'exited'; readonly status: number }
  | { readonly kind: 'signalled'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'time-limit' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'not-started'; readonly cause: unknown }

/**
 * The time in milliseconds between SIGTERM and SIGKILL. It is short, because a request that ends a session waits for
 * its programs to end.
 */
const termGraceMs = 500
/**
 * The time in milliseconds to wait after SIGKILL. A process that still runs after this time hangs in the kernel and
 * cannot be ended.
 */
const killGraceMs = 500

/**
 * Runs a program in its own process group, with an empty standard input. Never rejects: failures are values of
 * `ProgramEnd`. Resolves when the program has ended and all of its output was delivered, or when the time limit or the
 * signal has ended its whole group.
 */
export async function runProgram(run: ProgramOptions): Promise<ProgramEnd> {
  if (run.signal?.aborted === true) return { kind: 'aborted' }
  const child = spawnProgram(run)
  if (child instanceof Error) return { kind: 'not-started', cause: child }
  const finished = new AbortController()
  try {
    return await waitForEnd(child, run, finished.signal)
  } finally {
    finished.abort()
    child.stdio.forEach((stream) => stream?.destroy())
  }
}

function spawnProgram({
  program,
  args,
  env,
  cwd,
  onOutput,
  extraPipes = 0,
}: ProgramOptions): ChildProcess | Error {
  const output = onOutput === undefined ? 'ignore' : 'pipe'
  const extra = Array.from({ length: extraPipes }, () => 'pipe' as const)
  const stdio: StdioOptions = ['ignore', output, output, ...extra]
  try {
    const folder = cwd === undefined ? {} : { cwd }
    return spawn(program, args, { shell: false, detached: true, stdio, env, ...folder })
  } catch (cause) {
    // `spawn` throws when arguments are too long or contain a NUL.
    return cause instanceof Error ? cause : new Error(String(cause))
  }
}

async function waitForEnd(
  child: ChildProcess,
  run: ProgramOptions,
  finished: AbortSignal,
): Promise<ProgramEnd> {
  let ended: ProgramEnd | undefined
  const exited = exitOf(child)
  const output = readOutput(child, run.onOutput)
  const byItself = exited.then(async (ending) => {
    ended = ending
    if (run.leftoverProcesses === 'killed') signalGroup(child, 'SIGKILL')
    await output.drain()
    return ending
  })
  if (child.pid !== undefined) run.onStart?.(child)
  const first = await Promise.race([
    byItself,
    abortOf(run.signal, finished),
    output.failed.then((): ProgramEnd => ({ kind: 'aborted' })),
    after(run.timeMs, { kind: 'time-limit' } as const, { signal: finished }).catch(never),
  ])
  if (first === ended) return first
  const hadEnded = ended
  output.stop()
  await waitAtMost(run.killMore?.() ?? Promise.resolve(), termGraceMs)
  await endGroup(child, exited)
  // When the program ended before the time limit and only its output was still being delivered, the result is the
  // program's own end.
  return first.kind === 'time-limit' ? (hadEnded ?? first) : first
}

function exitOf(child: ChildProcess): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    child.once('exit', (status, signal) =>
      resolve(signal === null ? { kind: 'exited', status: status ?? 0 } : { kind: 'signalled', signal }),
    )
    child.on('error', (cause) => {
      if (child.pid === undefined) resolve({ kind: 'not-started', cause })
    })
  })
}

const abortOf = (signal: AbortSignal | undefined, finished: AbortSignal): Promise<ProgramEnd> =>
  new Promise((resolve) => {
    signal?.addEventListener('abort', () => resolve({ kind: 'aborted' }), { once: true, signal: finished })
  })

/** Ends a process group: sends SIGTERM, waits, and sends SIGKILL. */
async function endGroup(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  signalGroup(child, 'SIGTERM')
  await waitAtMost(exited, termGraceMs)
  signalGroup(child, 'SIGKILL')
  await waitAtMost(exited, killGraceMs)
}

async function waitAtMost(event: Promise<unknown>, timeoutMs: number): Promise<void> {
  const waiting = new AbortController()
  await Promise.race([event, after(timeoutMs, null, { signal: waiting.signal }).catch(never)])
  waiting.abort()
}

const never = (): Promise<never> => new Promise(() => {})

/** Sends a signal to the program's process group, which also contains the processes that the program has started. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // The group has no processes any more.
  }
}
