import { createOutputBuffer } from '../programs/output-buffer.ts'
import type { ProcessStarter } from '../programs/process-starter.ts'
import { runProgram, type ProgramOutcome } from '../programs/run-program.ts'
import type { HookCommand, HookValues } from './hook-command.ts'
import { firstLineBytes, firstLineOf } from './refusal-text.ts'

/** The limits of one run of a hook program (security 3.8). */
export type HookRunLimits = {
  /** The time in milliseconds after which a program is ended. */
  readonly timeMs: number
  /** The maximum size in bytes of a program's output that is kept. */
  readonly outputBytes: number
}

export type HookProgramDependencies = {
  readonly start: ProcessStarter
  /** The environment of the server, of which hooks inherit only a few variables. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly limits: HookRunLimits
}

/** The end of a program and what it printed. */
export type HookProgramResult = {
  readonly ending: ProgramOutcome
  /** Everything that the program printed, as far as it is kept. */
  readonly output: string
  /** The first line that the program printed, on its standard error if it printed any there. */
  readonly firstLine: string
}

/** Runs the program of a hook with the rights of the server, in an environment that contains only what it needs. */
export async function runHookProgram(
  { start, environment, limits }: HookProgramDependencies,
  { program, args }: Extract<HookCommand, { readonly kind: 'program' }>,
  { values, signal }: { readonly values: HookValues; readonly signal: AbortSignal },
): Promise<HookProgramResult> {
  const output = createOutputBuffer(limits.outputBytes)
  const beginnings = {
    stdout: createOutputBuffer(firstLineBytes),
    stderr: createOutputBuffer(firstLineBytes),
  }
  const ending = await runProgram(start, {
    program,
    args,
    env: { ...inheritedEnvironment(environment), ...values },
    timeMs: limits.timeMs,
    signal,
    onOutput(bytes, from) {
      output.append(bytes)
      beginnings[from].append(bytes)
    },
    leftoverProcesses: 'killed',
  })
  const firstLine = firstLineOf(beginnings.stderr.text()) || firstLineOf(beginnings.stdout.text())
  return { ending, output: output.text(), firstLine }
}

/** The variables of the server's environment that hooks inherit in addition to their values. */
const inheritedVariables = ['PATH', 'HOME', 'LANG', 'TZ'] as const

const inheritedEnvironment = (
  environment: HookProgramDependencies['environment'],
): HookProgramDependencies['environment'] =>
  Object.fromEntries(
    inheritedVariables.flatMap((name) =>
      environment[name] === undefined ? [] : [[name, environment[name]]],
    ),
  )
