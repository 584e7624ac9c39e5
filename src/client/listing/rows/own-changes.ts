import type { Path } from '../../../shared/domain/path.ts'
import type { ListingColumns } from './columns.ts'

type RowChange = (columns: ListingColumns) => void

/** An operation that has changed rows of a folder, or is about to, and that the server has not answered yet. */
type RunningOperation = { readonly folder: Path }

type OwnChange = {
  readonly folder: Path
  readonly apply: RowChange
  /** The operation of the change while it runs. The server may respond to any fetch before it has made the change. */
  operation: RunningOperation | null
  /** The number of the last fetch whose rows may be older than the change. Null while the operation runs. */
  lastFetch: number | null
}

/** The changes of rows that this tab has shown, and that rows in flight may not contain yet. */
export type OwnChanges = {
  /**
   * Records a change that is on screen. The change belongs to the operation on its folder that began last. A change is
   * not kept when no fetch in flight can lack it.
   */
  readonly record: (folder: Path, apply: RowChange) => void
  /** Begins an operation on a folder, which runs until the returned function is called. */
  readonly begin: (folder: Path) => () => void
  /** Applies the changes of a folder to the rows of a fetch that may be older than these changes. */
  readonly applyTo: (columns: ListingColumns, folder: Path, fetch: number) => void
  readonly clear: () => void
}

/** Creates an empty record. `fetchInFlight` returns the number of the fetch in flight, or null. */
export function createOwnChanges(fetchInFlight: () => number | null): OwnChanges {
  let changes: OwnChange[] = []
  let running: RunningOperation[] = []
  const isMissedBy = ({ operation, lastFetch }: OwnChange, fetch: number): boolean =>
    operation !== null || (lastFetch !== null && lastFetch >= fetch)
  return {
    record: (folder, apply) => {
      const operation = running.findLast((other) => other.folder === folder) ?? null
      const lastFetch = operation === null ? fetchInFlight() : null
      if (operation !== null || lastFetch !== null) changes.push({ folder, apply, operation, lastFetch })
    },
    begin: (folder) => {
      const operation: RunningOperation = { folder }
      running.push(operation)
      return () => {
        running = running.filter((other) => other !== operation)
        for (const change of changes)
          if (change.operation === operation)
            Object.assign(change, { operation: null, lastFetch: fetchInFlight() })
        changes = changes.filter((change) => change.operation !== null || change.lastFetch !== null)
      }
    },
    applyTo: (columns, folder, fetch) => {
      for (const change of changes)
        if (change.folder === folder && isMissedBy(change, fetch)) change.apply(columns)
      changes = changes.filter((change) => isMissedBy(change, fetch + 1))
    },
    clear: () => {
      changes = []
      running = []
    },
  }
}
