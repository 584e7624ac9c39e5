import type { Path } from '../../../shared/domain/path.ts'
import type { ListingColumns } from './columns.ts'

type RowChange = (columns: ListingColumns) => void

type OwnChange = {
  readonly folder: Path
  readonly apply: RowChange
  /**
   * The number of the last fetch whose rows may be older than the change. Null while the operation of the change is
   * running, because the server may respond to any fetch before it has made the change.
   */
  lastFetch: number | null
}

/** The changes of rows that this tab has shown, and that rows in flight may not contain yet. */
export type OwnChanges = {
  /** Records a change that is on screen. Changes that no fetch can miss are not kept. */
  readonly record: (folder: Path, apply: RowChange) => void
  /** Begins an operation, whose changes are recorded until the returned function is called. */
  readonly begin: () => () => void
  /** Applies the changes of a folder to the rows of a fetch that may be older than these changes. */
  readonly applyTo: (columns: ListingColumns, folder: Path, fetch: number) => void
  readonly clear: () => void
}

/** Creates an empty record. `fetchInFlight` returns the number of the fetch in flight, or null. */
export function createOwnChanges(fetchInFlight: () => number | null): OwnChanges {
  let changes: OwnChange[] = []
  let running = 0
  const isMissedBy = ({ lastFetch }: OwnChange, fetch: number): boolean =>
    lastFetch === null || lastFetch >= fetch
  return {
    record: (folder, apply) => {
      const lastFetch = running > 0 ? null : fetchInFlight()
      if (running > 0 || lastFetch !== null) changes.push({ folder, apply, lastFetch })
    },
    begin: () => {
      running += 1
      let isRunning = true
      return () => {
        if (!isRunning) return
        isRunning = false
        running -= 1
        if (running > 0) return
        const fetch = fetchInFlight()
        if (fetch === null) changes = []
        for (const change of changes) change.lastFetch ??= fetch
      }
    },
    applyTo: (columns, folder, fetch) => {
      for (const change of changes)
        if (change.folder === folder && isMissedBy(change, fetch)) change.apply(columns)
      changes = changes.filter((change) => isMissedBy(change, fetch + 1))
    },
    clear: () => {
      changes = []
    },
  }
}
