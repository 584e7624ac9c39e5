import type { Path } from '../../shared/domain/path.ts'
import type { ListedEntry } from './listed-entry.ts'
import { createPersonalStore } from './personal.ts'
import type { Store } from './store.ts'

/** The numbers of folders and files in a folder. */
export type FolderCounts = { readonly folders: number; readonly files: number }

/**
 * The folder on screen, as actions and operations see it. Changes of rows show at once; the code that made a change
 * undoes it by the opposite change when the server refuses.
 */
export type OpenFolder = {
  readonly folder: Path
  readonly has: (name: string) => boolean
  /** Inserts rows by the sort order. A row that has the name of a new one is replaced. */
  readonly insert: (entries: readonly ListedEntry[]) => void
  readonly remove: (names: readonly string[]) => void
  readonly rename: (from: string, to: string) => void
  /** Fetches the folder again. Scroll position, focus and selection stay. */
  readonly reload: () => void
  /** Focuses the row and scrolls it into view, as soon as it has arrived. */
  readonly focus: (name: string) => void
  readonly selectAll: () => void
  readonly invertSelection: () => void
  readonly clearSelection: () => void
  readonly toggleMultiple: () => void
  readonly switchView: () => void
  /** The counts of the whole folder. The store gets a new value after each change. */
  readonly counts: Pick<Store<FolderCounts>, 'get' | 'subscribe'>
}

/** The folder on screen, or null. The listing sets it. */
export const openFolder = createPersonalStore<OpenFolder | null>(null)

/** Returns the folder on screen if its path is `folder`, else null: other folders have no rows on screen to change. */
export function openFolderAt(folder: Path): OpenFolder | null {
  const open = openFolder.get()
  return open?.folder === folder ? open : null
}
