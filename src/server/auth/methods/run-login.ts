import { spawn, type ChildProcess } from 'node:child_process'
import { AppError } from '../../../shared/domain/failure.ts'
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
    inTurn({ turns, line: 'logins' }, () => {
      const [program = '', ...words] = command.split(' ')
      if (program === '') throw failed('there is none')
      const child = spawn(program, words, {
        shell: false,
        detached: true,
        stdio: ['ignore', 'pipe', 'ignore'],
        env: { ...environment, USERNAME: username, PASSWORD: password },
      })
      return outputOf(child, timeoutMs)
    })
}

function outputOf(child: ChildProcess, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let sizeBytes = 0
    const stop = (why: string): void => {
      endAll(child)
      reject(failed(why))
    }
    const timer = setTimeout(() => stop('it took too long'), timeoutMs)
    child.stdout?.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length
      if (sizeBytes > mostOutputBytes) stop('it said too much')
      else chunks.push(chunk)
    })
    child.once('error', (cause) => {
      clearTimeout(timer)
      reject(failed('it could not be started', cause))
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'))
      else reject(failed(`it ended with ${code ?? 'a signal'}`))
    })
  })
}

/** The program leads a group of its own; what it started is in there too. */
function endAll({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

const failed = (why: string, cause?: unknown): AppError =>
  new AppError('internal', { reason: `the login program failed: ${why}`, cause })
