import type { RouteName } from '../../shared/contract/routes.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { ChangedEntry, MadeFolders } from '../storage/change.ts'

/** The cause of a change: the call of a client, a job of the server, or a command of the terminal. */
export type ChangeCause =
  | {
      readonly kind: 'call'
      readonly call: RouteName
      /** The request's `X-Origin` header. */
      readonly origin: string | null
      /** The address of the client. */
      readonly address: string
    }
  | { readonly kind: 'job' | 'command'; readonly name: string }

/** The user who makes a change, and its cause. */
export type ChangeAuthor = {
  readonly cause: ChangeCause
  readonly userId: number
  readonly username: string
  /**
   * The caller's scope as a path inside the served folder. Subscribers use it to translate the change's paths to the
   * scope of another user.
   */
  readonly scope: Path
  /** The user's scope as it is stored in the user record. */
  readonly storedScope: string
  /** True when the bytes that the change stores have already been counted towards the quotas of all scopes. */
  readonly isCounted?: boolean
}

/** The kinds of announced changes. */
export const changeKinds = ['created', 'written', 'moved', 'copied', 'removed'] as const

/** The result of a change, as far as its listeners need it. */
export type ChangeOutcome = MadeFolders &
  Pick<ChangedEntry, 'losses' | 'replaced'> & {
    /** The tag of the entry after the change. Missing for a removed entry, and for the folders above a created one. */
    readonly etag?: string
  }

/** A completed change, which is announced to the listeners. The paths are relative to the caller's storage. */
export type StorageChange = ChangeAuthor &
  ChangeOutcome & {
    /** Identifies the change among all announced ones. */
    readonly id: string
    readonly kind: (typeof changeKinds)[number]
    readonly path: Path
    /** The destination of a `moved` or `copied` entry. */
    readonly to?: Path
    /**
     * For `moved` and `copied`: true when no entry existed at `to` before, and undefined when this is unknown. Before a
     * `created` change, no entry existed at its path.
     */
    readonly isNew?: boolean
    readonly atMs: number
  }

/** A change that any server of the state has made, as far as it matters to clients. */
export type ObservedChange = Pick<StorageChange, 'kind' | 'path' | 'to' | 'userId' | 'scope'> & {
  /** The `X-Origin` header of the request. Null for a change without a request or header. */
  readonly origin: string | null
}

/** Returns a change of this server as it is reported to all servers. */
export function observedChangeOf({ kind, path, to, userId, scope, cause }: StorageChange): ObservedChange {
  const origin = cause.kind === 'call' ? cause.origin : null
  return { kind, path, ...(to !== undefined && { to }), userId, scope, origin }
}

/** Learns of the changes that all servers of the state make. */
export type ChangeObserver = {
  readonly onChange: (change: ObservedChange) => void
  /** Called when other servers may have made changes that were not reported. */
  readonly onLoss: () => void
}

/** Passes a change to the listeners. Resolves when they have processed it, and never rejects. */
export type ChangePublisher = (change: StorageChange) => Promise<void>

/** A change that is about to be made. The intent also covers the parent folders that the change creates. */
export type ChangeIntent = Omit<StorageChange, 'id' | 'isNew' | 'atMs' | keyof ChangeOutcome>

/** The functions that run before and after a change. A function is null when no hook has to run. */
export type ChangeHooks = {
  /**
   * Runs after all other checks have passed and before any byte is written. The change is refused if this function
   * throws. The function ends early when the signal aborts.
   */
  readonly before: ((signal: AbortSignal | undefined) => Promise<void>) | null
  /**
   * Runs after the change was made and announced. The caller waits until this function has ended. The function never
   * throws and cannot revert the change.
   */
  readonly after: (() => Promise<void>) | null
}

/** Finds the hooks of a change. It is called for every change and must be fast, because most changes have no hooks. */
export type ChangeHookFinder = (intent: ChangeIntent) => Promise<ChangeHooks>
