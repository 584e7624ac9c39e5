import { AppError } from '../../../shared/domain/failure.ts'
import { createKeptOutput } from '../../programs/kept-output.ts'
import { runProgram, type Ending } from '../../programs/run-program.ts'
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

const mostOutputBytes = 64 * 1024
const atOnce = 4
const mostWaiting = 64

/**
 * No shell reads the line: it is cut at single spaces, and credentials travel by the environment alone (security 3.11). A program has
 * 10 s and 64 KiB, and is ended with all that it started.
 */
export function createRunLogin({ environment, timeoutMs = 10_000 }: RunNeeds): RunLogin {
  const turns = createTurns({ atOnce, mostWaiting, refusal: 'overloaded' })
  return (command, { username, password }) =>
    inTurn({ turns, line: 'logins' }, async () => {
      const [program = '', ...args] = command.split(' ')
      if (program === '') throw failed('there is none')
      const output = createKeptOutput(mostOutputBytes)
      const saidTooMuch = new AbortController()
      const ending = await runProgram({
        program,
        args,
        env: { ...environment, USERNAME: username, PASSWORD: password },
        timeMs: timeoutMs,
        leftovers: 'let-be',
        signal: saidTooMuch.signal,
        onOutput(bytes, from) {
          if (from === 'stdout' && !output.take(bytes)) saidTooMuch.abort()
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
