import { localFolderOf } from '../storage/local-folder-of.ts'
import type { DiskPath } from '../storage/disk-path.ts'
import { constants } from 'node:os'
import { firstWordOf } from '../access/command-rights.ts'
import type { ClientSocket } from '../http/socket-route.ts'
import { findProgram } from '../programs/find-program.ts'
import type { CommandOutcome, CommandLocation, CommandRequest } from '../programs/run-in-sandbox.ts'
import { splitWords } from '../../shared/domain/commands/split-words.ts'
import { runLimited, type KeyedLimiter } from '../concurrency/keyed-limiter.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import type { CommandRefusal } from '../../shared/domain/commands/command-refusals.ts'
import { root, type Path } from '../../shared/domain/path.ts'
import type { CommandLimits } from './command-limits.ts'
import type { CommandLogEntry } from './command-log.ts'
import { createCommandOutput } from './command-output.ts'
import {
  mayWrite,
  refusalReasonOf,
  untilRightsChange,
  type CommandRefusalReason,
  type UserAccess,
} from './command-permission.ts'

/**
 * Runs a command. When the command may not run in this location, the promise resolves with the reason for the refusal.
 */
export type ShellCommandRunner = (
  location: CommandLocation,
  request: CommandRequest,
) => Promise<CommandOutcome | string>

export type ShellDependencies = {
  /** Reads a user's current rights. Resolves with null when the user no longer exists. */
  readonly accessOf: (userId: number) => Promise<UserAccess | null>
  /** Returns the reason why no user may run commands, or null when commands are enabled. */
  readonly disabledReason: () => Promise<string | null>
  readonly run: ShellCommandRunner
  readonly limiter: KeyedLimiter
  readonly limits: CommandLimits
  readonly logCommand: (entry: CommandLogEntry) => void
  readonly nowMs: () => number
}

/** A command line that a user has sent, the folder to run it in, and the socket for its output. */
export type CommandLineRequest = {
  readonly userId: number
  readonly sessionId: string
  readonly address: string
  readonly path: Path
  readonly line: string
  readonly socket: ClientSocket
  /** Aborts when the socket is closed or the server stops. */
  readonly signal: AbortSignal
}

/**
 * Runs a command line for a user. The output and all error messages are sent to the socket as text (contract 12.1).
 * Resolves with the close reason for the socket: how the program ended, or why none ran.
 */
export async function runCommandLine(
  dependencies: ShellDependencies,
  request: CommandLineRequest,
): Promise<string> {
  const { line, socket, userId } = request
  const program = firstWordOf(line)
  const access = await dependencies.accessOf(userId)
  const off = await dependencies.disabledReason()
  const refusal =
    off === null ? refusalReasonOf(access, program) : ({ word: 'commands-off', why: off } as const)
  if (access === null || refusal !== null) return refuse(dependencies, request, { access, refusal })
  const split = splitWords(line)
  if (split.kind === 'broken') {
    socket.send(`error parsing command: ${split.reason}`)
    return split.fault
  }
  const file = await findProgram(program)
  if (file === null) {
    socket.send(`exec: ${JSON.stringify(program)}: executable file not found in $PATH`)
    return 'no-program'
  }
  const slot = { limiter: dependencies.limiter, key: userId, signal: request.signal }
  return runLimited(slot, () => runParsedLine(dependencies, request, { file, words: split.words }))
}

function refuse(
  { logCommand }: ShellDependencies,
  { line, path, socket, ...client }: CommandLineRequest,
  { access, refusal }: { readonly access: UserAccess | null; readonly refusal: CommandRefusalReason | null },
): CommandRefusal {
  socket.send('Command not allowed.')
  const { userId, sessionId, address } = client
  const user = access?.user.username ?? ''
  logCommand({ kind: 'refused', userId, sessionId, address, user, line, path, why: refusal?.why ?? '' })
  return refusal?.word ?? 'not-allowed'
}

/**
 * Runs a parsed command line. All rights are checked again, because the command may have waited until the limiter
 * admitted it.
 */
async function runParsedLine(
  dependencies: ShellDependencies,
  request: CommandLineRequest,
  { file, words }: { readonly file: string; readonly words: readonly string[] },
): Promise<string> {
  const [program = '', ...args] = words
  const { userId, sessionId, address, path, socket } = request
  const access = await dependencies.accessOf(userId)
  const refusal = refusalReasonOf(access, program)
  if (access === null || refusal !== null) return refuse(dependencies, request, { access, refusal })
  const location = await commandLocationOf(access, path).catch((error: unknown) => nullIfMissing(error))
  if (location === null) return 'no-folder'

  const rightsWatch = untilRightsChange(dependencies, { userId, program, access })
  const output = createCommandOutput(dependencies, socket)
  const startMs = dependencies.nowMs()
  try {
    const signal = AbortSignal.any([request.signal, rightsWatch.signal])
    const { timeMs } = dependencies.limits
    const ended = await dependencies.run(location, {
      words: [file, ...args],
      timeMs,
      signal,
      onOutput: output.write,
    })
    if (typeof ended === 'string')
      return refuse(dependencies, request, {
        access,
        refusal: { word: 'not-allowed', why: ended },
      })
    await output.end()
    const reason = closeReasonOf(ended)
    const durationMs = dependencies.nowMs() - startMs
    const user = access.user.username
    const { reason: why } = ended
    const caller = { userId, sessionId, address, user }
    dependencies.logCommand({ kind: 'ran', ...caller, words, path, reason, why, durationMs })
    return reason
  } finally {
    rightsWatch.end()
  }
}

/**
 * Returns null for errors that show whether the folder exists or is accessible, so that the response does not reveal
 * whether an inaccessible folder exists. Throws all other errors again.
 */
function nullIfMissing(error: unknown): null {
  const code = codeOf(error)
  if (code === 'not-found' || code === 'not-a-folder' || code === 'forbidden' || code === 'link-loop')
    return null
  throw error
}

/**
 * Returns the close reason for the socket: the exit status as shells report it (for a signal, 128 plus its number), or
 * a word.
 */
function closeReasonOf({ ending, reason }: CommandOutcome): string {
  switch (ending.kind) {
    case 'exited':
      return String(ending.status)
    case 'signalled':
      return String(128 + constants.signals[ending.signal])
    case 'time-limit':
      return 'time-limit'
    case 'aborted':
      return reason === null ? 'ended' : 'over-limits'
    default:
      return 'failed'
  }
}

/**
 * Returns the scope and the working directory for a user's command, or null when the storage is not on a local disk.
 * The storage checks the path, so the promise rejects with the storage's error when the path is missing or access to it
 * is denied.
 */
async function commandLocationOf(access: UserAccess, path: Path): Promise<CommandLocation | null> {
  const folder = await localFolderOf(access.storage, path)
  const scope = await localFolderOf(access.storage, root)
  const subfolder =
    folder === null || scope === null ? null : pathOfSubfolder(scope.realPath, folder.realPath)
  if (folder === null || scope === null || subfolder === null) return null
  const { ownNames: hiddenNames, ...identity } = scope
  return { scope: { ...identity, hiddenNames, folder: subfolder, mayWrite: mayWrite(access) }, folder }
}

/**
 * Returns the path of `folder` relative to `top`, without a leading slash. Returns null when the folder is not inside
 * `top`.
 */
function pathOfSubfolder(top: DiskPath, folder: DiskPath): string | null {
  if (folder === top) return ''
  const start = top === '/' ? '/' : `${top}/`
  return folder.startsWith(start) ? folder.slice(start.length) : null
}
