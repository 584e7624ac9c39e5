import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { setTimeout as after } from 'node:timers/promises'
import { takeOutput, type OnOutput } from './take-output.ts'

export type ProgramRun = {
  /** Absolute. No shell reads it, or its arguments. */
  readonly program: string
  readonly args: readonly string[]
  /** All of its environment. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Absolute; the server's own where nothing is said. */
  readonly cwd?: string
  readonly timeMs: number
  /** Ends it with all that it started. */
  readonly signal?: AbortSignal | undefined
  /** Told of its output as it comes; without it, output goes nowhere. */
  readonly onOutput?: OnOutput | undefined
  /** What of its group is still there when it has ended by itself: killed, or let be. */
  readonly leftovers: 'killed' | 'let-be'
  /** Given the process once it runs: for what a sandbox has to be told. */
  readonly onStart?: ((child: ChildProcess) => void) | undefined
  /** Ends what killing its group would not reach; before the group is, and awaited for as long as its own grace. */
  readonly endMore?: (() => Promise<void>) | undefined
  /** Pipes to it beside the three, from descriptor 3 on. */
  readonly morePipes?: number
}

/** How a program ended. */
export type Ending =
  | { readonly kind: 'exited'; readonly status: number }
  | { readonly kind: 'signalled'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'time-limit' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'not-started'; readonly cause: unknown }

/** From the asking to the killing: whoever ended a session waits for it. */
const termMs = 500
/** What not even this ends hangs in the kernel; nobody waits for it any longer. */
const killMs = 500

/**
 * Runs a program in a process group of its own, with nothing to read. Never rejects: how it ended is a value. That comes when the
 * program has ended and all of its output was taken, or when time or signal have ended its whole group.
 */
export async function runProgram(run: ProgramRun): Promise<Ending> {
  if (run.signal?.aborted === true) return { kind: 'aborted' }
  const child = started(run)
  if (child instanceof Error) return { kind: 'not-started', cause: child }
  const finished = new AbortController()
  try {
    return await endingOf(child, run, finished.signal)
  } finally {
    finished.abort()
    child.stdio.forEach((stream) => stream?.destroy())
  }
}

function started({ program, args, env, cwd, onOutput, morePipes = 0 }: ProgramRun): ChildProcess | Error {
  const output = onOutput === undefined ? 'ignore' : 'pipe'
  const more = Array.from({ length: morePipes }, () => 'pipe' as const)
  const stdio: StdioOptions = ['ignore', output, output, ...more]
  try {
    const where = cwd === undefined ? {} : { cwd }
    return spawn(program, args, { shell: false, detached: true, stdio, env, ...where })
  } catch (cause) {
    // Words that are too long, or hold a NUL.
    return cause instanceof Error ? cause : new Error(String(cause))
  }
}

async function endingOf(child: ChildProcess, run: ProgramRun, finished: AbortSignal): Promise<Ending> {
  let ended: Ending | undefined
  const exited = exitOf(child)
  const output = takeOutput(child, run.onOutput)
  const byItself = exited.then(async (ending) => {
    ended = ending
    if (run.leftovers === 'killed') signalGroup(child, 'SIGKILL')
    await output.takeRest()
    return ending
  })
  if (child.pid !== undefined) run.onStart?.(child)
  const first = await Promise.race([
    byItself,
    abortOf(run.signal, finished),
    output.failed.then((): Ending => ({ kind: 'aborted' })),
    after(run.timeMs, { kind: 'time-limit' } as const, { signal: finished }).catch(never),
  ])
  if (first === ended) return first
  const hadEnded = ended
  output.stop()
  await soon(run.endMore?.() ?? Promise.resolve(), termMs)
  await endGroup(child, exited)
  // Its time was up while somebody still took its output.
  return first.kind === 'time-limit' ? (hadEnded ?? first) : first
}

function exitOf(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve) => {
    child.once('exit', (status, signal) =>
      resolve(signal === null ? { kind: 'exited', status: status ?? 0 } : { kind: 'signalled', signal }),
    )
    child.on('error', (cause) => {
      if (child.pid === undefined) resolve({ kind: 'not-started', cause })
    })
  })
}

const abortOf = (signal: AbortSignal | undefined, finished: AbortSignal): Promise<Ending> =>
  new Promise((resolve) => {
    signal?.addEventListener('abort', () => resolve({ kind: 'aborted' }), { once: true, signal: finished })
  })

/** Asks first, then kills: the program, and what it started and left. */
async function endGroup(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  signalGroup(child, 'SIGTERM')
  await soon(exited, termMs)
  signalGroup(child, 'SIGKILL')
  await soon(exited, killMs)
}

async function soon(event: Promise<unknown>, mostMs: number): Promise<void> {
  const waiting = new AbortController()
  await Promise.race([event, after(mostMs, null, { signal: waiting.signal }).catch(never)])
  waiting.abort()
}

const never = (): Promise<never> => new Promise(() => {})

/** The program leads a group of its own; what it started is in there too. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // Nobody is left in it.
  }
}
