import { constants, setPriority } from 'node:os'
import type { ProcessStarter, ProgramProcess } from './process-starter.ts'
import type { BubblewrapSearchResult } from './find-bubblewrap.ts'
import { trustedPath } from './find-program.ts'
import { createOutputBuffer } from './output-buffer.ts'
import type { OutputListener } from './read-output.ts'
import { runProgram, type ProgramOutcome } from './run-program.ts'
import { endSandbox, readSandboxProcess, type SandboxProcess } from './sandbox-process.ts'
import { sandboxPipes } from './bubblewrap-args.ts'
import type { ProcessLimiter } from './process-limiter.ts'

/** A program that reads one file from its standard input and writes its result to standard output. */
export type InputProgramRequest = {
  /** The program and its arguments. The first word is an absolute path. */
  readonly words: readonly string[]
  /** The descriptor of the file that becomes the standard input. */
  readonly input: number
  readonly timeMs: number
  /** The maximum size in bytes of the result. The program is ended when it writes more. */
  readonly maxOutputBytes: number
  readonly signal: AbortSignal
}

export type InputProgramOutcome = {
  readonly ending: ProgramOutcome
  readonly output: Buffer
  /** True when the program wrote more than `maxOutputBytes`. */
  readonly isTooLong: boolean
  /** The first 4096 bytes of the error output. */
  readonly errors: string
}

export type InputProgramDependencies = {
  readonly start: ProcessStarter
  readonly bubblewrap: BubblewrapSearchResult
  readonly withLimits: ProcessLimiter
}

/** The number of bytes of the error output that are kept: enough for the first messages of a program. */
const maxErrorBytes = 4096

/** The complete environment of the program, inside and outside of a sandbox. */
const environment = { PATH: trustedPath, HOME: '/tmp', LANG: 'C.UTF-8' }

/**
 * Runs a program on one file. Where this machine has a sandbox, the program sees no other file of a user, no network and
 * no other process. Never rejects: failures are values of `ending`.
 */
export async function runOnInput(
  { start, bubblewrap, withLimits }: InputProgramDependencies,
  { words, input, timeMs, maxOutputBytes, signal }: InputProgramRequest,
): Promise<InputProgramOutcome> {
  const [program = '', ...args] = bubblewrap.isUsable
    ? [bubblewrap.program, ...sandboxArgs(bubblewrap.args), ...withLimits(words)]
    : withLimits(words)
  let sandbox: Promise<SandboxProcess | null> = Promise.resolve(null)
  const onStart = (child: ProgramProcess): void => {
    lowerPriority(child.pid)
    if (!bubblewrap.isUsable) return
    sandbox = readSandboxProcess(child)
    void sandbox.then((first) => lowerPriority(first?.pid))
  }
  const errors = createOutputBuffer(maxErrorBytes)
  const chunks: Buffer[] = []
  let freeBytes = maxOutputBytes
  const onOutput: OutputListener = (bytes, from) => {
    if (from === 'stderr') {
      errors.append(bytes)
      return
    }
    freeBytes -= bytes.length
    // The error ends the program.
    if (freeBytes < 0) throw new Error('the output is too long')
    chunks.push(bytes)
  }
  const ending = await runProgram(start, {
    program,
    args,
    env: environment,
    cwd: '/',
    input,
    timeMs,
    signal,
    leftoverProcesses: 'killed',
    onOutput,
    onStart,
    endOtherProcesses: async () => endSandbox(await sandbox),
    extraPipes: bubblewrap.isUsable ? 1 : 0,
  })
  await endSandbox(await sandbox)
  return { ending, output: Buffer.concat(chunks), isTooLong: freeBytes < 0, errors: errors.text() }
}

const sandboxArgs = (args: readonly string[]): readonly string[] => [
  ...args,
  '--info-fd',
  String(sandboxPipes.info),
  '--remount-ro',
  '/',
  '--chdir',
  '/',
  '--',
]

/** Lowers the priority of a process, because listings and downloads are more urgent. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The process has already ended.
  }
}
