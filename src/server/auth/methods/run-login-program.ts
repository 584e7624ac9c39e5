import { AppError } from '../../../shared/domain/failure.ts'
import { createOutputBuffer } from '../../programs/output-buffer.ts'
import type { ProcessStarter } from '../../programs/process-starter.ts'
import { runProgram, type ProgramOutcome } from '../../programs/run-program.ts'
import { createRateLimiter } from '../../concurrency/rate-limiter.ts'
import { createKeyedLimiter, runLimited } from '../../concurrency/keyed-limiter.ts'

/**
 * Runs the program of a command line for one login and returns its output. Throws `internal` when the program fails in
 * any way.
 */
export type LoginProgramRunner = (
  command: string,
  credentials: { readonly username: string; readonly password: string },
) => Promise<string>

type LoginProgramOptions = {
  readonly start: ProcessStarter
  /** The environment that the server itself was started with. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly timeoutMs?: number
}

/** Limits of login programs (security 3.8). */
export const loginProgramLimits = {
  timeMs: 10_000,
  outputBytes: 64 * 1024,
  atOnce: 4,
  maxWaiting: 64,
} as const

/**
 * Creates the runner of login programs. The command line is split at single spaces without a shell, and credentials are
 * passed only in the environment (security 3.11). A program may run for 10 s and print 64 KiB. If it exceeds a limit,
 * it is killed together with all processes that it started.
 */
export function createLoginProgramRunner({
  start,
  environment,
  timeoutMs = loginProgramLimits.timeMs,
}: LoginProgramOptions): LoginProgramRunner {
  const { atOnce, maxWaiting, outputBytes } = loginProgramLimits
  const limiter = createKeyedLimiter({
    maxConcurrent: atOnce,
    maxQueued: maxWaiting,
    errorCode: 'overloaded',
  })
  // Starting a process blocks the main thread for a moment. Without the rate limit, programs that end immediately would
  // block it all the time.
  const pace = createRateLimiter()
  return (command, { username, password }) =>
    runLimited({ limiter, key: 'logins' }, async () => {
      const [program = '', ...args] = command.split(' ')
      if (program === '') throw failed('the command is empty')
      await pace()
      const output = createOutputBuffer(outputBytes)
      const outputLimitHit = new AbortController()
      const ending = await runProgram(start, {
        program,
        args,
        env: { ...environment, USERNAME: username, PASSWORD: password },
        timeMs: timeoutMs,
        leftoverProcesses: 'kept',
        signal: outputLimitHit.signal,
        onOutput(bytes, from) {
          if (from === 'stdout' && !output.append(bytes)) outputLimitHit.abort()
        },
      })
      if (ending.kind === 'exited' && ending.status === 0) return output.text()
      throw failed(reasonOf(ending), ending.kind === 'not-started' ? ending.cause : undefined)
    })
}

function reasonOf(ending: ProgramOutcome): string {
  switch (ending.kind) {
    case 'exited':
      return `it exited with code ${ending.status}`
    case 'signalled':
      return 'it was killed by a signal'
    case 'time-limit':
      return 'it took too long'
    case 'not-started':
      return 'it could not be started'
    default:
      return 'it printed too much'
  }
}

const failed = (why: string, cause?: unknown): AppError =>
  new AppError('internal', { reason: `the login program failed: ${why}`, cause })
