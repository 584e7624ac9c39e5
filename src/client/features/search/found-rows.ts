import { childOf, parentOf, type Path } from '../../../shared/domain/path.ts'
import { changeRows } from '../../listing/grid/change-rows.ts'
import { selectAlone } from '../../listing/grid/select-in-lists.ts'
import { foundListing } from '../../listing/grid/shown-listings.ts'
import { idOfName, indexOfId } from '../../listing/rows/columns.ts'
import { keepRows, pathsOfFound, removeFound, renameFound } from '../../listing/rows/found-columns.ts'
import { folderOfKey, keyOfEntry } from '../../state/listed-entry.ts'
import { foundRows, type ShownRows } from '../../state/open-folder.ts'
import { selectIds } from '../../state/selection.ts'
import { folderSearch, isHitOf, repeatSearch } from './searcher.ts'

/**
 * Lets operations change the results of the search as they change the rows of the open folder: a deleted entry
 * disappears at once. Returns the function that ends this.
 */
export function shareFoundRows(): () => void {
  const changed = new Set<Path>()
  const provider = { at: (folder: Path) => rowsAt(folder, changed) }
  foundRows.set(provider)
  return () => foundRows.set((now) => (now === provider ? null : now))
}

/**
 * Returns the results that are directly in a folder, or null when there are none. Operations add to `changed` the folders
 * from which they remove results: when the server refuses, the results come back, so these folders are never null.
 */
function rowsAt(folder: Path, changed: Set<Path>): ShownRows | null {
  const search = folderSearch.get()
  if (search === null) return null
  if (!changed.has(folder) && !pathsOfFound(search.columns).some((path) => parentOf(path) === folder))
    return null
  const { columns, text } = search
  const pathsOf = (names: readonly string[]): Path[] => names.flatMap((name) => childOf(folder, name) ?? [])
  const idsOf = (names: readonly string[]): number[] =>
    pathsOf(names)
      .map((path) => idOfName(columns, path))
      .filter((id) => id !== -1)
  return {
    has: (name) => idsOf([name]).length > 0,
    // Entries come back when the server has refused an operation. Only the server knows their position.
    insert: (returned) => {
      if (returned.length > 0) repeatSearch()
    },
    remove: (names) => {
      changed.add(folder)
      changeRows(foundListing, () => removeFound(columns, pathsOf(names)))
    },
    rename: (from, to) => {
      const [before, after] = pathsOf([from, to])
      if (before === undefined || after === undefined) return
      renameFound(columns, before, after)
      // Like a row of the folder, an entry whose new name does not match the search any more leaves the results.
      changeRows(foundListing, () => keepRows(columns, isHitOf(text)))
    },
    watchFetches: () => () => false,
    reload: repeatSearch,
    focus: (...names) => {
      const ids = idsOf(names)
      if (ids[0] === undefined) return
      selectAlone(foundListing, (current) => selectIds(current, ids))
      foundListing.grid.current?.focusIndex(indexOfId(columns, ids[0]))
    },
    // An operation on results of several folders calls this once for each folder.
    showFailures: (refusals) =>
      foundListing.failures.set(
        (now) =>
          new Map([
            ...Array.from(now).filter(([key]) => folderOfKey(key) !== folder),
            ...refusals.map(({ entry, reason }) => [keyOfEntry(entry, folder), reason] as const),
          ]),
      ),
  }
}
