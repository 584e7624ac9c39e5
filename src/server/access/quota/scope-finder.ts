import { withinTime } from '../../concurrency/within-time.ts'
import type { Path } from '../../../shared/domain/path.ts'
import type { StorageChange } from '../../changes/change.ts'
import type { UsageLedger } from './usage-ledger.ts'

/** The part of a change that concerns the usages of scopes. */
export type ScopeChange = Pick<StorageChange, 'kind' | 'scope' | 'path' | 'to' | 'isCounted'>

/** Finds the scopes that only other servers have used so far, when changes that they have not counted are made here. */
export type ScopeFinder = {
  /** Notes a change, which may concern such a scope. */
  note(change: ScopeChange): void
  /** Returns the changes for which the search has not ended. A scope that is used from now on has not learned of them. */
  waiting(): readonly ScopeChange[]
  /** Searches for the scopes of the last changes, for at most a second. */
  close(): Promise<void>
}

/** The minimum time in milliseconds between two searches, and the maximum time of the last one. */
const intervalMs = 1000
/** The maximum number of changes that wait for a search. The others are found by the next scan that is due. */
const maxChanges = 1000

/** `onFound` is called with the scopes that a search has found, and with the changes since the search before. */
export function createScopeFinder(
  ledger: Pick<UsageLedger, 'findScopes'>,
  onFound: (scopes: readonly Path[], changes: readonly ScopeChange[]) => void,
): ScopeFinder {
  const changes: ScopeChange[] = []
  let timer: NodeJS.Timeout | undefined

  /** Changes that are noted during a search wait for the next one. After a search that has failed, all of them do. */
  async function search(): Promise<void> {
    timer = undefined
    const searched = changes.length
    try {
      onFound(await ledger.findScopes(), changes.slice(0, searched))
      changes.splice(0, searched)
    } finally {
      if (changes.length > 0) schedule()
    }
  }

  const schedule = (): void => {
    timer ??= setTimeout(() => void search().catch(() => {}), intervalMs).unref()
  }

  return {
    note(change) {
      if (changes.length < maxChanges) changes.push(change)
      schedule()
    },
    waiting: () => changes,
    async close() {
      if (changes.length > 0) await withinTime(search(), intervalMs).catch(() => {})
      clearTimeout(timer)
    },
  }
}
