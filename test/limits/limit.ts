import { challengeLimits } from '../../src/server/auth/captcha.ts'
import { loginProgramLimits } from '../../src/server/auth/methods/run-login-program.ts'
import { hookLimits } from '../../src/server/hooks/hook-runner.ts'
import { httpLimits } from '../../src/server/http/http-options.ts'
import { commandLimits } from '../../src/server/shell/command-limits.ts'
import { limits } from '../../src/shared/domain/limits.ts'

const ofEverything = { ...limits, ...httpLimits }
const ofPrograms = {
  challenges: challengeLimits,
  commands: commandLimits,
  hooks: hookLimits,
  loginPrograms: loginProgramLimits,
}

type ProgramLimits = typeof ofPrograms

/** The name of a limit in the code. Limits of programs are prefixed with the kind of program. */
export type LimitName =
  | keyof typeof ofEverything
  | { [Name in keyof ProgramLimits]: `${Name}.${keyof ProgramLimits[Name] & string}` }[keyof ProgramLimits]

/** The names of all limits. */
export const constants: readonly string[] = [
  ...Object.keys(ofEverything),
  ...Object.entries(ofPrograms).flatMap(([name, its]) => Object.keys(its).map((key) => `${name}.${key}`)),
]

/**
 * A limit that is tested in this folder: one function for the outcome just below the limit, and one for the outcome
 * beyond it.
 */
export type LimitTestCase = {
  readonly limit: string
  readonly constants?: readonly LimitName[]
  readonly below: () => Promise<unknown>
  readonly beyond: () => Promise<unknown>
  /** The expected outcomes just below the limit and beyond it. */
  readonly says: readonly [unknown, unknown]
}

/** A limit that is tested in other files. `shownBy` lists the names of the tests by file. */
export type LimitTestReference = {
  readonly limit: string
  readonly constants?: readonly LimitName[]
  readonly shownBy: Readonly<Record<string, readonly string[]>>
}
