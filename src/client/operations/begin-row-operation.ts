import type { Path } from '../../shared/domain/path.ts'
import type { OperationContext } from './operation-context.ts'
import type { EntriesOfFolder, ListedEntry } from '../state/listed-entry.ts'

/**
 * Begins an operation that changes rows of a folder before the server has responded. The returned function ends the
 * operation. When rows were fetched while the operation ran, they may show the state before the operation, and this tab
 * ignores the event of its own change. In that case the folder is fetched once more. Otherwise `undo` is called, which
 * reverts the changes that the server has refused.
 */
export function beginRowOperation(
  { openAt }: Pick<OperationContext, 'openAt'>,
  folder: Path,
): (undo: () => void) => void {
  const wasFetched = openAt(folder)?.watchFetches() ?? (() => true)
  return (undo) => {
    if (wasFetched()) openAt(folder)?.reload()
    else undo()
  }
}

/** Returns the entries by the folder that contains them. Results of a search may be in several folders. */
export function entriesByFolder({ folder, entries }: EntriesOfFolder): ReadonlyMap<Path, ListedEntry[]> {
  const groups = new Map<Path, ListedEntry[]>()
  for (const entry of entries) {
    const source = entry.folder ?? folder
    const group = groups.get(source)
    if (group === undefined) groups.set(source, [entry])
    else group.push(entry)
  }
  return groups
}
