import { challengeLimits } from '../../src/server/auth/captcha.ts'
import { loginProgramLimits } from '../../src/server/auth/methods/run-login.ts'
import { hookLimits } from '../../src/server/hooks/run-hooks.ts'
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

type OfPrograms = typeof ofPrograms

/** What a limit is called in the code; those of programs with what they limit before it. */
export type Constant =
  | keyof typeof ofEverything
  | { [Name in keyof OfPrograms]: `${Name}.${keyof OfPrograms[Name] & string}` }[keyof OfPrograms]

/** The names of all of them. */
export const constants: readonly string[] = [
  ...Object.keys(ofEverything),
  ...Object.entries(ofPrograms).flatMap(([name, its]) => Object.keys(its).map((key) => `${name}.${key}`)),
]

/** Shown here: what is answered just below it, and what beyond it. */
export type ShownLimit = {
  readonly limit: string
  readonly constants?: readonly Constant[]
  readonly below: () => Promise<unknown>
  readonly beyond: () => Promise<unknown>
  /** Just below it, beyond it. */
  readonly says: readonly [unknown, unknown]
}

/** Shown beside its source, by the tests of these names. */
export type LimitElsewhere = {
  readonly limit: string
  readonly constants?: readonly Constant[]
  readonly shownBy: Readonly<Record<string, readonly string[]>>
}
