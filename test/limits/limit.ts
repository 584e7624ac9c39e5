import type { httpLimits } from '../../src/server/http/http-options.ts'
import type { limits } from '../../src/shared/domain/limits.ts'

/** What a limit is called in the code. */
export type Constant = keyof typeof limits | keyof typeof httpLimits

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
