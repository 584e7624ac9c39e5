import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { createKeptOutput, restBehindDropped } from '../programs/kept-output.ts'
import { runProgram, type Ending } from '../programs/run-program.ts'
import { createTurns, inTurn } from '../turns/turns.ts'
import { commandOf, type HookCommand, type HookValues } from './hook-command.ts'

/** What runs of hooks may take (security 3.8). */
export type HookLimits = {
  readonly timeMs: number
  /** Of the output of a run, what the log gets. */
  readonly outputBytes: number
  /** Of these, how many lines: each is written for itself, and a program that prints short ones would make tens of thousands. */
  readonly outputLines: number
  readonly atOnceInBackground: number
  readonly mostWaiting: number
}

export const hookLimits: HookLimits = {
  timeMs: 30_000,
  outputBytes: 64 * 1024,
  outputLines: 1000,
  atOnceInBackground: 4,
  mostWaiting: 1000,
}

export type HookNeeds = {
  /** What the server itself was started with. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly limits: HookLimits
  /** Takes one line at a time, without its end. */
  readonly log: (line: string) => void
}

/** A list of lines, and what they may know. */
export type HookRun = {
  /** `before_upload` and the like. */
  readonly trigger: string
  readonly lines: readonly string[]
  readonly shell: readonly string[]
  /** Null where what they are about has a name that no program can be told: then none is run, and each fails. */
  readonly values: HookValues | null
  /** Ends what is waited for. */
  readonly signal?: AbortSignal | undefined
}

export type HookRunner = {
  /**
   * Runs lines one after the other; those that end in `&` are only started, when there is room. Throws at the first other one that
   * fails, and leaves out what comes behind: `internal`, or `aborted` when the signal ended it.
   */
  run(hooks: HookRun): Promise<void>
  /** Ends all that run, and waits for that. What has not begun never does. */
  close(): Promise<void>
}

type Runnable = Exclude<HookCommand, { readonly kind: 'empty' }>

/** Runs hooks as what they are, the administrator's own programs: with the server's rights, in an environment of their own. */
export function createHookRunner({ environment, limits, log }: HookNeeds): HookRunner {
  const stopping = new AbortController()
  const running = new Set<Promise<unknown>>()
  const turns = createTurns({
    atOnce: limits.atOnceInBackground,
    mostWaiting: limits.mostWaiting,
    refusal: 'overloaded',
  })
  const turn = { turns, line: 'background', signal: stopping.signal }

  async function runCommand(command: Runnable, { trigger, values, signal }: HookRun): Promise<void> {
    if (values === null) throw new AppError('internal', { reason: 'the name of the entry is no text' })
    if (command.kind === 'broken') throw new AppError('internal', { reason: command.why })
    const output = createKeptOutput(limits.outputBytes)
    const ending = await runProgram({
      program: command.program,
      args: command.args,
      env: { ...ordinary(environment), ...values },
      timeMs: limits.timeMs,
      signal: AbortSignal.any([stopping.signal, ...(signal === undefined ? [] : [signal])]),
      onOutput: (bytes) => (output.take(bytes) ? undefined : restBehindDropped()),
      leftovers: 'killed',
    })
    const lines = linesIn(output.text())
    for (const line of lines.slice(0, limits.outputLines))
      log(`Hook ${trigger} says: ${JSON.stringify(line)}`)
    const more = lines.length - limits.outputLines
    if (more > 0) log(`Hook ${trigger} says more: ${more} lines`)
    requireGood(ending)
  }

  /** Runs it; a failure is logged, and still the runner's. */
  async function told(line: string, trigger: string, run: () => Promise<void>): Promise<void> {
    const ending = run()
    running.add(ending)
    try {
      await ending
    } catch (error) {
      const why = codeOf(error) === 'aborted' ? 'it was ended' : reasonOf(error)
      log(`Hook ${trigger} failed: ${why}: ${JSON.stringify(line)}`)
      throw error
    } finally {
      running.delete(ending)
    }
  }

  async function runLine(line: string, hooks: HookRun): Promise<void> {
    const command = commandOf(line, { shell: hooks.shell, values: hooks.values ?? unknown })
    if (command.kind === 'empty') return
    if (command.waits) return told(line, hooks.trigger, () => runCommand(command, hooks))
    // Nobody waits for it, so nobody who leaves ends it.
    const alone = { ...hooks, signal: undefined }
    void told(line, hooks.trigger, () => inTurn(turn, () => runCommand(command, alone))).catch(() => {})
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

const unknown: HookValues = { FILE: '', SCOPE: '', TRIGGER: '', USERNAME: '', DESTINATION: '' }

/** What programs find beside the values; nothing else of the server's. */
const kept = ['PATH', 'HOME', 'LANG', 'TZ'] as const

const ordinary = (environment: HookNeeds['environment']): HookNeeds['environment'] =>
  Object.fromEntries(
    kept.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  )

const linesIn = (text: string): string[] => text.split(/\r?\n/).filter((line) => line !== '')

function requireGood(ending: Ending): void {
  if (ending.kind === 'exited' && ending.status === 0) return
  if (ending.kind === 'aborted') throw new AppError('aborted')
  throw new AppError('internal', { reason: whyOf(ending), cause: ending })
}

function whyOf(ending: Exclude<Ending, { readonly kind: 'aborted' }>): string {
  if (ending.kind === 'exited') return `it ended with ${ending.status}`
  if (ending.kind === 'signalled') return `it was ended by ${ending.signal}`
  return ending.kind === 'time-limit'
    ? 'it took too long'
    : `it could not be started: ${causeOf(ending.cause)}`
}

const causeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'

const reasonOf = (error: unknown): string =>
  error instanceof AppError ? (error.reason ?? error.code) : String(error)
