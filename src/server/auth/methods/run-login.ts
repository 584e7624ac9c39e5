import { AppError } from '../../../shared/domain/failure.ts'
import { createKeptOutput, restBehindDropped } from '../../programs/kept-output.ts'
import { runProgram, type Ending } from '../../programs/run-program.ts'
import { createPacer } from '../../turns/pacer.ts'
import { createTurns, inTurn } from '../../turns/turns.ts'

/** Runs the program of a command line for one login, and gives what it printed. `internal` when it fails, in whatever way. */
export type RunLogin = (
  command: string,
  credentials: { readonly username: string; readonly password: string },
) => Promise<string>

type RunNeeds = {
  /** What the server itself was started with. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly timeoutMs?: number
}

/** What login programs may take (security 3.8). */
export const loginProgramLimits = {
  timeMs: 10_000,
  outputBytes: 64 * 1024,
  atOnce: 4,
  mostWaiting: 64,
} as const

/**
 * No shell reads the line: it is cut at single spaces, and credentials travel by the environment alone (security 3.11). A program has
 * 10 s and 64 KiB, and is ended with all that it started.
 */
export function createRunLogin({ environment, timeoutMs = loginProgramLimits.timeMs }: RunNeeds): RunLogin {
  const { atOnce, mostWaiting, outputBytes } = loginProgramLimits
  const turns = createTurns({ atOnce, mostWaiting, refusal: 'overloaded' })
  // To begin a program keeps the main thread; those that end at once would keep it all of the time.
  const pace = createPacer()
  return (command, { username, password }) =>
    inTurn({ turns, line: 'logins' }, async () => {
      const [program = '', ...args] = command.split(' ')
      if (program === '') throw failed('there is none')
      await pace()
      const output = createKeptOutput(outputBytes)
      const complaints = createKeptOutput(outputBytes)
      const saidTooMuch = new AbortController()
      const ending = await runProgram({
        program,
        args,
        env: { ...environment, USERNAME: username, PASSWORD: password },
        timeMs: timeoutMs,
        leftovers: 'let-be',
        signal: saidTooMuch.signal,
        onOutput(bytes, from) {
          if (from === 'stderr') return complaints.take(bytes) ? undefined : restBehindDropped()
          if (!output.take(bytes)) saidTooMuch.abort()
          return undefined
        },
      })
      if (ending.kind === 'exited' && ending.status === 0) return output.text()
      throw failed(reasonOf(ending), ending.kind === 'not-started' ? ending.cause : undefined)
    })
}

function reasonOf(ending: Ending): string {
  switch (ending.kind) {
    case 'exited':
      return `it ended with ${ending.status}`
    case 'signalled':
      return 'it ended with a signal'
    case 'time-limit':
      return 'it took too long'
    case 'not-started':
      return 'it could not be started'
    default:
      return 'it said too much'
  }
}

const failed = (why: string, cause?: unknown): AppError =>
  new AppError('internal', { reason: `the login program failed: ${why}`, cause })
