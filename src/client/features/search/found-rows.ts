import { childOf, parentOf, type Path } from '../../../shared/domain/path.ts'
import { foundRows, type ShownRows } from '../../state/open-folder.ts'
import { deselectFound, renameInSelection } from './found-selection.ts'
import { dropFound, folderSearch, renameFound, repeatSearch } from './searcher.ts'

/**
 * Lets operations change the results of the search as they change the rows of the open folder: a deleted entry
 * disappears at once. Returns the function that ends this.
 */
export function shareFoundRows(): () => void {
  const provider = { at: rowsAt }
  foundRows.set(provider)
  return () => foundRows.set((now) => (now === provider ? null : now))
}

/** Returns the results that are directly in a folder, or null when there are none. */
function rowsAt(folder: Path): ShownRows | null {
  const entries = folderSearch.get()?.entries ?? []
  if (!entries.some(({ path }) => parentOf(path) === folder)) return null
  const pathsOf = (names: readonly string[]): Path[] => names.flatMap((name) => childOf(folder, name) ?? [])
  return {
    has: (name) => entries.some(({ path }) => path === childOf(folder, name)),
    // Entries come back when the server has refused an operation. Only the server knows their position.
    insert: (returned) => {
      if (returned.length > 0) repeatSearch()
    },
    remove: (names) => {
      dropFound(pathsOf(names))
      deselectFound(pathsOf(names))
    },
    rename: (from, to) => {
      const [before, after] = pathsOf([from, to])
      if (before === undefined || after === undefined) return
      renameFound(before, after)
      renameInSelection(before, after)
    },
    watchFetches: () => () => false,
    reload: repeatSearch,
    focus: () => undefined,
    // The notice of the operation shows the reasons as well.
    showFailures: () => undefined,
  }
}
