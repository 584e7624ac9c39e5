import { challengeLimits } from '../../src/server/auth/captcha.ts'
import { loginProgramLimits } from '../../src/server/auth/methods/run-login-program.ts'
import { eventLimits } from '../../src/server/events/event-limits.ts'
import { hookLimits } from '../../src/server/hooks/hook-runner.ts'
import { httpLimits } from '../../src/server/http/http-options.ts'
import { commandLimits } from '../../src/server/shell/command-limits.ts'
import { limits } from '../../src/shared/domain/limits.ts'

const requestLimits = { ...limits, ...httpLimits }
const programLimits = {
  challenges: challengeLimits,
  commands: commandLimits,
  events: eventLimits,
  hooks: hookLimits,
  loginPrograms: loginProgramLimits,
}

type ProgramLimits = typeof programLimits

/** The name of a limit in the code. The limits of programs have the kind of program as a prefix, such as `hooks.timeMs`. */
export type LimitName =
  | keyof typeof requestLimits
  | { [Name in keyof ProgramLimits]: `${Name}.${keyof ProgramLimits[Name] & string}` }[keyof ProgramLimits]

/** The names of all limits. */
export const limitNames: readonly string[] = [
  ...Object.keys(requestLimits),
  ...Object.entries(programLimits).flatMap(([name, group]) =>
    Object.keys(group).map((key) => `${name}.${key}`),
  ),
]

/**
 * A limit that is tested in this folder: one function for the outcome just below the limit, and one for the outcome
 * beyond it.
 */
export type LimitTestCase = {
  readonly limit: string
  readonly limitNames?: readonly LimitName[]
  readonly below: () => Promise<unknown>
  readonly beyond: () => Promise<unknown>
  readonly expected: readonly [justBelow: unknown, beyond: unknown]
}

/** A limit that is tested in other files. `tests` contains the titles of these tests, keyed by file. */
export type LimitTestReference = {
  readonly limit: string
  readonly limitNames?: readonly LimitName[]
  readonly tests: Readonly<Record<string, readonly string[]>>
}

/**
 * Returns a function that runs something once and then returns the same result, for a run that shows both outcomes of a limit. The
 * next call runs it again when it has failed.
 */
export function oneRun<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | null = null
  return () => {
    result ??= run().catch((error: unknown) => {
      result = null
      throw error
    })
    return result
  }
}
