import type { RouteName } from '../../shared/contract/routes.ts'
import type { Path } from '../../shared/domain/path.ts'

/** What a request says of the changes that it makes. */
export type Cause = {
  readonly call: RouteName
  /** Its `X-Origin`. */
  readonly origin: string | null
}

/** Who makes a change, and why. */
export type Author = Cause & {
  readonly userId: number
  readonly username: string
  /** The scope of the caller, so that a subscriber can tell the same place seen by others. */
  readonly scope: Path
  /** The same as it was written. */
  readonly writtenScope: string
  /** What they store is counted already, for the scope. */
  readonly isCounted?: true
}

/** A mutation that is done, as announced: paths are relative to the caller's storage. */
export type Change = Author & {
  readonly kind: 'created' | 'written' | 'moved' | 'copied' | 'removed'
  readonly path: Path
  /** Where it went, for `moved` and `copied`. */
  readonly to?: Path
  /** For `moved` and `copied`: whether nothing stood at `to` before; left out where that is not known. `created` always says so. */
  readonly isNew?: boolean
  readonly atMs: number
}

export type Announce = (change: Change) => void

/** A change that is about to be made. The folders that are made on the way to it are no intent of anybody's. */
export type Intent = Omit<Change, 'isNew' | 'atMs'>

/** What comes before and after a change, by whoever asked for a say in it; null where nothing does. */
export type Bracket = {
  /** Runs when nothing else refuses the change, before anything is written. What it throws refuses it. Ends with the signal. */
  readonly before: ((signal: AbortSignal | undefined) => Promise<void>) | null
  /** Runs when the change is made and announced; its caller waits for it. It undoes nothing, and never throws. */
  readonly after: (() => Promise<void>) | null
}

/** Asked of each change that is about to be made; wants an answer soon, since most changes have no bracket. */
export type Bracketing = (intent: Intent) => Promise<Bracket>
