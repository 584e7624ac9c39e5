import type { RouteName } from '../../shared/contract/routes.ts'
import type { Path } from '../../shared/domain/path.ts'

/** The cause of a change: the request's route and origin. */
export type ChangeCause = {
  readonly call: RouteName
  /** The request's `X-Origin` header. */
  readonly origin: string | null
}

/** The user who makes a change, and its cause. */
export type ChangeAuthor = ChangeCause & {
  readonly userId: number
  readonly username: string
  /**
   * The caller's confined scope. With it a subscriber can translate the change's paths to the scope of another user.
   */
  readonly scope: Path
  /** The scope as it is written in the records. */
  readonly writtenScope: string
  /** Set when the stored bytes are already counted for the scope by a reservation. */
  readonly isCounted?: true
}

/** A completed change as announced to the listeners. Its paths are relative to the caller's storage. */
export type Change = ChangeAuthor & {
  readonly kind: 'created' | 'written' | 'moved' | 'copied' | 'removed'
  readonly path: Path
  /** The destination of a `moved` or `copied` entry. */
  readonly to?: Path
  /**
   * For `moved` and `copied`: true when no entry existed at `to` before; left out when that is unknown. `created`
   * always means that none existed.
   */
  readonly isNew?: boolean
  readonly atMs: number
}

export type Announce = (change: Change) => void

/**
 * A change that is about to be made. The missing parent folders that it creates on the way have no intent of their own.
 */
export type ChangeIntent = Omit<Change, 'isNew' | 'atMs'>

/** The functions that run before and after a change; null where nothing runs. */
export type ChangeHooks = {
  /**
   * Runs after all other checks have passed, before any byte is written. If it throws, the change is refused. It ends
   * when the signal aborts.
   */
  readonly before: ((signal: AbortSignal | undefined) => Promise<void>) | null
  /** Runs after the change was made and announced; the caller waits for it. It reverts nothing and never throws. */
  readonly after: (() => Promise<void>) | null
}

/**
 * Finds what runs before and after a change. It is called for every change and must be fast, because most changes have
 * no hooks.
 */
export type FindChangeHooks = (intent: ChangeIntent) => Promise<ChangeHooks>
