import type { Path } from '../../shared/domain/path.ts'
import type { ListedEntry } from '../state/listed-entry.ts'

/** Entries of an operation. `folder` contains those that do not name a folder of their own. */
type OperationEntries = { readonly folder: Path; readonly entries: readonly ListedEntry[] }

/** Returns the entries by the folder that contains them. Results of a search may be in several folders. */
export function entriesByFolder({ folder, entries }: OperationEntries): ReadonlyMap<Path, ListedEntry[]> {
  const groups = new Map<Path, ListedEntry[]>()
  for (const entry of entries) {
    const source = entry.folder ?? folder
    const group = groups.get(source)
    if (group === undefined) groups.set(source, [entry])
    else group.push(entry)
  }
  return groups
}
