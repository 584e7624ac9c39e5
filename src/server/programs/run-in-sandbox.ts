import type { ChildProcess } from 'node:child_process'
import type { Bubblewrap } from './find-bubblewrap.ts'
import { runProgram, type Ending } from './run-program.ts'
import { endSandbox, sandboxProcessOf, type SandboxProcess } from './sandbox-process.ts'
import { sandboxPipes, scopeWords, type SandboxScope } from './sandbox.ts'
import type { OnOutput } from './take-output.ts'
import { watchSandbox, type FolderIdentity } from './watch-sandbox.ts'
import type { WithLimits } from './with-limits.ts'

/** A program that is run for somebody: both outputs come as one, in their order. */
export type CommandRun = {
  /** The first is an absolute path. */
  readonly words: readonly string[]
  readonly timeMs: number
  readonly signal: AbortSignal
  readonly onOutput: (bytes: Buffer) => Promise<void>
}

/** Where it is run, as it was judged. */
export type CommandPlace = {
  readonly scope: SandboxScope & FolderIdentity
  readonly folder: FolderIdentity & { readonly realPath: string }
}

export type CommandEnd = {
  readonly ending: Ending
  /** Why it was ended, or could not be begun; null where there is nothing to say. */
  readonly why: string | null
}

type SandboxNeeds = {
  readonly bubblewrap: Bubblewrap & { readonly isUsable: true }
  readonly withLimits: WithLimits
  readonly processes: number
  readonly memoryBytes: number
}

/** Only one pipe keeps the order of two outputs: a shell joins them, reads nothing else, and becomes the program. */
export const joined = (words: readonly string[]): readonly string[] => [
  '/bin/sh',
  '-c',
  'exec "$@" 2>&1',
  'sh',
  ...words,
]

const mostComplaint = 1000

/** Runs a command in a sandbox that holds the scope of a person, and nothing else of anybody's. */
export async function runInSandbox(
  needs: SandboxNeeds,
  { scope, folder }: CommandPlace,
  run: CommandRun,
): Promise<CommandEnd> {
  const over = new AbortController()
  const finished = new AbortController()
  const signal = AbortSignal.any([run.signal, over.signal])
  let why: string | null = null
  let complaint = ''
  let inside: Promise<SandboxProcess | null> = Promise.resolve(null)
  let watching = Promise.resolve()

  const stop = (reason: string | null): void => {
    if (reason === null || run.signal.aborted) return
    why = reason
    over.abort()
  }
  const onStart = (child: ChildProcess): void => {
    const { processes, memoryBytes } = needs
    const watch = {
      scope,
      folder: { ...folder, path: scope.folder },
      processes,
      memoryBytes,
      signal: AbortSignal.any([signal, finished.signal]),
    }
    inside = sandboxProcessOf(child)
    watching = inside
      .then((first) => (first === null ? null : watchSandbox(child, first, watch)))
      .then(stop, (error: unknown) => stop(String(error)))
  }
  // What comes from the second output is bubblewrap's own: the program has none.
  const onOutput: OnOutput = (bytes, from) => {
    if (from === 'stdout') return run.onOutput(bytes)
    if (complaint.length < mostComplaint) complaint += bytes.toString('utf8')
    return undefined
  }

  const ending = await runProgram({
    program: needs.bubblewrap.program,
    args: await wordsOf(needs, scope, run.words),
    env: {},
    cwd: '/',
    timeMs: run.timeMs,
    leftovers: 'killed',
    signal,
    onOutput,
    onStart,
    endMore: async () => endSandbox(await inside),
    morePipes: sandboxPipes.count,
  })
  finished.abort()
  await endSandbox(await inside)
  await watching
  const said = ending.kind === 'aborted' ? '' : complaint.trim()
  return { ending, why: why ?? (said || null) }
}

async function wordsOf(
  { bubblewrap, withLimits }: SandboxNeeds,
  scope: SandboxScope,
  words: readonly string[],
): Promise<readonly string[]> {
  const { said, awaited } = sandboxPipes
  return [
    ...bubblewrap.words,
    '--info-fd',
    String(said),
    '--block-fd',
    String(awaited),
    ...(await scopeWords(scope)),
    '--',
    ...joined(withLimits(words)),
  ]
}
