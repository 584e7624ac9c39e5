import type { Path } from '../../../shared/domain/path.ts'
import type { StorageChange } from '../../changes/change.ts'
import type { UsageLedger } from './usage-ledger.ts'

/** Finds the scopes that only other servers have used so far, when changes that they have not counted are made here. */
export type ScopeFinder = {
  /** Notes a change, which may concern such a scope. */
  note(change: StorageChange): void
  stop(): void
}

/** The minimum time in milliseconds between two searches. */
const intervalMs = 1000
/** The maximum number of changes that wait for a search. The others are found by the next scan that is due. */
const maxChanges = 1000

/** `onFound` is called with the scopes that a search has found, and with the changes since the search before. */
export function createScopeFinder(
  ledger: Pick<UsageLedger, 'findScopes'>,
  onFound: (scopes: readonly Path[], changes: readonly StorageChange[]) => void,
): ScopeFinder {
  let changes: StorageChange[] = []
  let timer: NodeJS.Timeout | undefined

  async function search(): Promise<void> {
    timer = undefined
    const noted = changes
    changes = []
    onFound(await ledger.findScopes(), noted)
  }

  return {
    note(change) {
      if (changes.length < maxChanges) changes.push(change)
      timer ??= setTimeout(() => void search().catch(() => {}), intervalMs).unref()
    },
    stop: () => clearTimeout(timer),
  }
}
