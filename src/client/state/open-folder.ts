import type { ViewMode } from '../../shared/contract/fields/user-fields.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { ListingOrder, SortKey } from '../../shared/domain/sorting.ts'
import type { ListedEntry } from './listed-entry.ts'
import { createPersonalStore } from './personal.ts'
import type { Store } from './store.ts'

/** An entry for which the server refused the operation, with the reason as a message for the user. */
export type RefusedEntry = { readonly entry: ListedEntry; readonly reason: string }

/** The numbers of folders and files in a folder. */
export type FolderCounts = { readonly folders: number; readonly files: number }

/**
 * The folder on screen, as actions and operations use it. Changes of rows are shown immediately. When the server
 * refuses a change, the code that made it has to undo the change.
 */
export type OpenFolder = {
  readonly folder: Path
  readonly has: (name: string) => boolean
  /** Returns those of the names that rows have. All names together take one pass over the rows. */
  readonly presentNames: (names: readonly string[]) => ReadonlySet<string>
  /**
   * Inserts rows at the positions that the sort order determines. An existing row with the name of a new row is
   * replaced.
   */
  readonly insert: (entries: readonly ListedEntry[]) => void
  readonly remove: (names: readonly string[]) => void
  readonly rename: (from: string, to: string) => void
  /**
   * Starts to watch for fetches of rows. The returned function returns true when a fetch was in flight at any time since
   * the call of `watchFetches`: its rows may be older than a change that was made meanwhile.
   */
  readonly watchFetches: () => () => boolean
  /** Fetches the folder again and keeps scroll position, focus and selection. */
  readonly reload: () => void
  /** Selects the rows, focuses the first of them and scrolls it into view, as soon as they have arrived. */
  readonly focus: (...names: readonly string[]) => void
  /**
   * Selects the rows of entries for which an operation was refused, and shows the reasons in the rows. An empty list
   * removes all reasons that are shown.
   */
  readonly showFailures: (refusals: readonly RefusedEntry[]) => void
  /** Returns the selected entries at the time of the call. */
  readonly selected: () => readonly ListedEntry[]
  readonly selectAll: () => void
  readonly invertSelection: () => void
  readonly clearSelection: () => void
  readonly toggleMultiple: () => void
  /** Shows the content of the focused entry above the list, or of the first selected entry while no selected row has the focus. */
  readonly quickLook: () => void
  /** The order of the rows, or the order that the user has chosen since, until the rows have it. */
  readonly sortedBy: ListingOrder
  /**
   * Sorts by a column and saves the order as the user's preference. Reverses the order when the rows are sorted by that
   * column.
   */
  readonly sortBy: (by: SortKey) => Promise<void>
  /** Shows a view immediately and keeps it for this folder on this device. */
  readonly showView: (mode: ViewMode) => Promise<void>
  /** The counts of the whole folder, which are complete when all rows have arrived. The store gets a new value after each change. */
  readonly counts: Pick<Store<FolderCounts & { readonly isComplete: boolean }>, 'get' | 'subscribe'>
}

/** The folder on screen, or null. The listing sets it. */
export const openFolder = createPersonalStore<OpenFolder | null>(null)

/** The path of the address while it cannot be opened and the screen shows an error, or null. */
export const unreachablePath = createPersonalStore<Path | null>(null)

/** The rows of a folder that operations change. */
export type ShownRows = Pick<
  OpenFolder,
  'has' | 'insert' | 'remove' | 'rename' | 'focus' | 'showFailures' | 'watchFetches' | 'reload'
>

/** Gives access to the rows of other folders among the results of a search, or null while no search is shown. */
export const foundRows = createPersonalStore<{ readonly at: (folder: Path) => ShownRows | null } | null>(null)

/**
 * Returns the rows of `folder` if the folder is open or if results of a search on screen are in it. Returns null for all
 * other folders, because they have no rows on screen.
 */
export function openFolderAt(folder: Path): ShownRows | null {
  const open = openFolder.get()
  return open?.folder === folder ? open : (foundRows.get()?.at(folder) ?? null)
}
