import { AppError, codeOf } from '../../shared/domain/failure.ts'
import type { ProgramOutcome } from '../programs/run-program.ts'
import type { HookEnd } from '../../shared/contract/settings.ts'
import type { Path } from '../../shared/domain/path.ts'
import { createKeyedLimiter, runLimited } from '../concurrency/keyed-limiter.ts'
import { emptyValues, parseHookLine, type HookCommand, type HookValues } from './hook-command.ts'
import { refusalTextOf } from './refusal-text.ts'
import { runHookProgram, type HookProgramDependencies, type HookRunLimits } from './run-hook-program.ts'

/** The limits of hook programs (security 3.8). */
export type HookLimits = HookRunLimits & {
  /**
   * The maximum number of output lines that are logged. Without this limit, short lines of `outputBytes` in total would
   * become tens of thousands of log lines.
   */
  readonly outputLines: number
  /** The maximum number of background programs that run concurrently. */
  readonly maxConcurrent: number
  /** The maximum number of background programs that wait. A further program fails with `overloaded`. */
  readonly maxQueued: number
  /**
   * The maximum number of background programs that run or wait because of the changes of one user, among them those of the user's
   * guests. A further program fails with `overloaded`.
   */
  readonly maxOfUser: number
}

export const hookLimits: HookLimits = {
  timeMs: 30_000,
  outputBytes: 64 * 1024,
  outputLines: 1000,
  maxConcurrent: 4,
  maxQueued: 4000,
  maxOfUser: 1000,
}

export type HookRunnerDependencies = HookProgramDependencies & {
  readonly limits: HookLimits
  /** Writes one line to the log. The line has no line break. */
  readonly log: (line: string) => void
  /** Receives each line that has failed, for the administrators. */
  readonly onFailure: (failure: HookFailure) => void
}

/** A line that has failed. */
export type HookFailure = {
  readonly trigger: string
  readonly line: string
  /** The entry that was changed, or was to be changed, as a path of the volume. */
  readonly path: Path
  readonly end: HookEnd
  /** The exit code of a program that has `exited`. */
  readonly status: number | null
  /** The first line that the program printed. */
  readonly printed: string
}

/** The hooks of one trigger, and the values that they get. */
export type HookRequest = {
  /** The name of the trigger, for example `before_upload`. */
  readonly trigger: string
  readonly lines: readonly string[]
  readonly shell: readonly string[]
  /** The entry of the change, as a path of the volume. */
  readonly path: Path
  /**
   * The values that the hooks get. Null when the entry's name is not valid UTF-8 and cannot be passed to a program;
   * each line then fails without being run.
   */
  readonly values: HookValues | null
  /** Ends the programs that the request waits for. Background programs continue. */
  readonly signal?: AbortSignal | undefined
}

export type HookRunner = {
  /**
   * Runs the command lines of a hook one after the other. A line that ends in `&` runs in the background, within the
   * limits. When a line in the foreground fails, the remaining lines are skipped, and the call throws `aborted` if the
   * signal ended the program, and otherwise `refused-by-hook`, with what the program printed as its reason.
   */
  run(hooks: HookRequest): Promise<void>
  /** Ends all running programs and waits for their end. Programs that wait in the queue are never started. */
  close(): Promise<void>
}

/**
 * Creates the runner of hooks. Hooks are programs of the administrator, so they run with the rights of the server, in
 * an environment that contains only what they need.
 */
export function createHookRunner(dependencies: HookRunnerDependencies): HookRunner {
  const { limits, log, onFailure } = dependencies
  const stopping = new AbortController()
  const running = new Set<Promise<unknown>>()
  const runInBackground = createBackgroundQueue(limits, stopping.signal)
  const endedBy = ({ signal = stopping.signal, ...hooks }: HookRequest) => ({
    ...hooks,
    signal: AbortSignal.any([stopping.signal, signal]),
  })

  /** Runs a hook, and logs and reports its failure before it throws. */
  async function runLogged(
    line: string,
    { trigger, path }: HookRequest,
    run: () => Promise<void>,
  ): Promise<void> {
    const ending = run()
    running.add(ending)
    try {
      await ending
    } catch (error) {
      const isAborted = codeOf(error) === 'aborted'
      const reason = isAborted ? 'it was ended' : reasonOf(error)
      log(`Hook ${trigger} failed: ${reason}: ${JSON.stringify(line)}`)
      if (isAborted) throw error
      // A program in the background is not started while too many others wait.
      const failed = error instanceof FailedLine ? error : new FailedLine(reason, { end: 'not-started' })
      const { end, status, printed, refusal } = failed
      onFailure({ trigger, line, path, end, status, printed })
      throw new AppError('refused-by-hook', { cause: error, ...(refusal !== null && { reason: refusal }) })
    } finally {
      running.delete(ending)
    }
  }

  async function runLine(line: string, hooks: HookRequest): Promise<void> {
    const command = parseHookLine(line, { shell: hooks.shell, values: hooks.values ?? emptyValues })
    if (command.kind === 'empty') return
    if (command.waits) return runLogged(line, hooks, () => runCommand(dependencies, command, endedBy(hooks)))
    // No request waits for a background program, so the signal of a request must not end it.
    const detached = endedBy({ ...hooks, signal: undefined })
    void runLogged(line, hooks, () =>
      runInBackground(hooks.values?.USERNAME ?? '', () => runCommand(dependencies, command, detached)),
    ).catch(() => {})
  }

  return {
    async run(hooks) {
      for (const line of hooks.lines) await runLine(line, hooks)
    },
    async close() {
      stopping.abort()
      await Promise.allSettled(running)
    },
  }
}

/** Runs the program of a line and logs what it printed. Throws a `FailedLine`, or `aborted` when the signal has ended the program. */
async function runCommand(
  dependencies: HookRunnerDependencies,
  command: Exclude<HookCommand, { readonly kind: 'empty' }>,
  {
    trigger,
    path,
    values,
    signal,
  }: Pick<HookRequest, 'trigger' | 'path' | 'values'> & { readonly signal: AbortSignal },
): Promise<void> {
  if (values === null) throw new FailedLine('the name is not valid UTF-8', { end: 'not-started' })
  if (command.kind === 'broken') throw new FailedLine(command.reason, { end: 'broken' })
  const result = await runHookProgram(dependencies, command, {
    values,
    signal,
  })
  logOutput(dependencies, trigger, result.output)
  const { ending, firstLine } = result
  if (ending.kind === 'exited' && ending.status === 0) return
  if (ending.kind === 'aborted') throw new AppError('aborted')
  throw new FailedLine(failureReasonOf(ending), {
    end: ending.kind,
    status: ending.kind === 'exited' ? ending.status : null,
    printed: firstLine,
    refusal: refusalTextOf(firstLine, { ...values, servedFolder: servedFolderOf(values.FILE, path) }),
  })
}

/** Returns the served folder, which stands before the path of an entry on disk. Empty when another path is on disk. */
const servedFolderOf = (onDisk: string, path: Path): string =>
  onDisk.endsWith(path) ? onDisk.slice(0, -path.length) : ''

/**
 * Creates the function that runs the background programs of a user, within the limits of the user and of the server. Only as
 * many programs of a user as may run wait together with those of others, so that nobody waits for a thousand of another user.
 */
function createBackgroundQueue(
  { maxConcurrent, maxQueued, maxOfUser }: HookLimits,
  signal: AbortSignal,
): (username: string, run: () => Promise<void>) => Promise<void> {
  const errorCode = 'overloaded'
  const ofUsers = createKeyedLimiter({ maxConcurrent: maxOfUser, maxQueued: 0, errorCode })
  const ofServer = createKeyedLimiter({ maxConcurrent: maxConcurrent + maxQueued, maxQueued: 0, errorCode })
  const turns = createKeyedLimiter({ maxConcurrent })
  const running = createKeyedLimiter({ maxConcurrent })
  return (username, run) =>
    runLimited({ limiter: ofUsers, key: username }, () =>
      runLimited({ limiter: ofServer, key: 'background' }, () =>
        runLimited({ limiter: turns, key: username, signal }, () =>
          runLimited({ limiter: running, key: 'background', signal }, run),
        ),
      ),
    )
}

/** Logs the first lines of a program's output, and the number of the other lines. */
function logOutput(
  { limits, log }: Pick<HookRunnerDependencies, 'limits' | 'log'>,
  trigger: string,
  output: string,
): void {
  const lines = linesIn(output)
  for (const line of lines.slice(0, limits.outputLines))
    log(`Hook ${trigger} printed: ${JSON.stringify(line)}`)
  const more = lines.length - limits.outputLines
  if (more > 0) log(`Hook ${trigger} printed ${more} more lines`)
}

const linesIn = (text: string): string[] => text.split(/\r?\n/).filter((line) => line !== '')

/** The failure of a line. Its message says how the program ended. */
class FailedLine extends Error {
  readonly end: HookEnd
  readonly status: number | null
  /** The first line that the program printed. */
  readonly printed: string
  /** The part of it that users see. Null when the program has printed nothing. */
  readonly refusal: string | null
  constructor(
    reason: string,
    {
      end,
      status = null,
      printed = '',
      refusal = null,
    }: Pick<FailedLine, 'end'> & Partial<Pick<FailedLine, 'status' | 'printed' | 'refusal'>>,
  ) {
    super(reason)
    this.end = end
    this.status = status
    this.printed = printed
    this.refusal = refusal
  }
}

function failureReasonOf(ending: Exclude<ProgramOutcome, { readonly kind: 'aborted' }>): string {
  if (ending.kind === 'exited') return `it ended with ${ending.status}`
  if (ending.kind === 'signalled') return `it was ended by ${ending.signal}`
  return ending.kind === 'time-limit'
    ? 'it took too long'
    : `it could not be started: ${causeOf(ending.cause)}`
}

const causeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'

function reasonOf(error: unknown): string {
  if (error instanceof FailedLine) return error.message
  return error instanceof AppError ? (error.reason ?? error.code) : String(error)
}
