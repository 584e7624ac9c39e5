import type { ProcessStarter, ProgramProcess } from './process-starter.ts'
import type { BubblewrapSearchResult } from './find-bubblewrap.ts'
import { runProgram, type ProgramOutcome } from './run-program.ts'
import { endSandbox, readSandboxProcess, type SandboxProcess } from './sandbox-process.ts'
import { sandboxPipes, scopeArgs, type SandboxScope } from './bubblewrap-args.ts'
import type { OutputListener } from './read-output.ts'
import { watchSandbox, type FolderIdentity } from './watch-sandbox.ts'
import type { ProcessLimiter } from './process-limiter.ts'

/** A command to run for a user. Standard output and standard error arrive as one stream, in order. */
export type CommandRequest = {
  /** The program and its arguments. The first word is an absolute path. */
  readonly words: readonly string[]
  readonly timeMs: number
  readonly signal: AbortSignal
  readonly onOutput: (bytes: Buffer) => Promise<void>
}

/**
 * The scope and the working directory of a command, each with the identity that the folder had when access to it was
 * checked.
 */
export type CommandLocation = {
  readonly scope: SandboxScope & FolderIdentity
  readonly folder: FolderIdentity & { readonly realPath: string }
}

export type CommandOutcome = {
  readonly ending: ProgramOutcome
  /** The reason why the server stopped the sandbox, or the error output of bubblewrap. Null when neither exists. */
  readonly reason: string | null
}

type SandboxDependencies = {
  readonly start: ProcessStarter
  readonly bubblewrap: BubblewrapSearchResult & { readonly isUsable: true }
  readonly withLimits: ProcessLimiter
  readonly processes: number
  readonly memoryBytes: number
}

/**
 * Returns a command that runs the given command with standard error redirected to standard output, because only a
 * single pipe keeps the order of two outputs. A shell redirects the file descriptor and is then replaced by the
 * command. The shell does not interpret the words of the command.
 */
export const withJoinedOutputs = (words: readonly string[]): readonly string[] => [
  '/bin/sh',
  '-c',
  'exec "$@" 2>&1',
  'sh',
  ...words,
]

/** Maximum number of characters that are kept of bubblewrap's error output. Further output is dropped. */
const maxErrorLength = 1000

/** Runs a command in a sandbox that shows a user's scope and no other user files. */
export async function runInSandbox(
  dependencies: SandboxDependencies,
  { scope, folder }: CommandLocation,
  request: CommandRequest,
): Promise<CommandOutcome> {
  const stopped = new AbortController()
  const finished = new AbortController()
  const signal = AbortSignal.any([request.signal, stopped.signal])
  let stopReason: string | null = null
  let errorText = ''
  let sandbox: Promise<SandboxProcess | null> = Promise.resolve(null)
  let watching = Promise.resolve()

  const stop = (reason: string | null): void => {
    if (reason === null || request.signal.aborted) return
    stopReason = reason
    stopped.abort()
  }
  const onStart = (child: ProgramProcess): void => {
    const { start, processes, memoryBytes } = dependencies
    const watch = {
      start,
      scope,
      folder: { ...folder, path: scope.folder },
      processes,
      memoryBytes,
      signal: AbortSignal.any([signal, finished.signal]),
    }
    sandbox = readSandboxProcess(child)
    watching = sandbox
      .then((first) => (first === null ? null : watchSandbox(child, first, watch)))
      .then(stop, (error: unknown) => stop(String(error)))
  }
  // Only bubblewrap writes to standard error, because the command's standard error is redirected to standard output.
  const onOutput: OutputListener = (bytes, from) => {
    if (from === 'stdout') return request.onOutput(bytes)
    if (errorText.length < maxErrorLength) errorText += bytes.toString('utf8')
    return undefined
  }

  const ending = await runProgram(dependencies.start, {
    program: dependencies.bubblewrap.program,
    args: await bubblewrapArgs(dependencies, scope, request.words),
    env: {},
    cwd: '/',
    timeMs: request.timeMs,
    leftoverProcesses: 'killed',
    signal,
    onOutput,
    onStart,
    endOtherProcesses: async () => endSandbox(await sandbox),
    extraPipes: sandboxPipes.count,
  })
  finished.abort()
  await endSandbox(await sandbox)
  await watching
  const bubblewrapError = ending.kind === 'aborted' ? '' : errorText.trim()
  return { ending, reason: stopReason ?? (bubblewrapError || null) }
}

async function bubblewrapArgs(
  { bubblewrap, withLimits }: SandboxDependencies,
  scope: SandboxScope,
  words: readonly string[],
): Promise<readonly string[]> {
  const { info, block } = sandboxPipes
  return [
    ...bubblewrap.args,
    '--info-fd',
    String(info),
    '--block-fd',
    String(block),
    ...(await scopeArgs(scope)),
    '--',
    ...withJoinedOutputs(withLimits(words)),
  ]
}
