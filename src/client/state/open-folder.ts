import type { Path } from '../../shared/domain/path.ts'
import type { ListedEntry } from './listed-entry.ts'
import { createStore } from './store.ts'

/**
 * The folder on screen, as verbs and operations see it: the listing puts one here when it opens a folder and null when it
 * leaves. Changes of rows show at once; whoever made one takes it back by the opposite when the server refuses.
 */
export type OpenFolder = {
  readonly folder: Path
  readonly has: (name: string) => boolean
  /** Rows take the place that the sorting gives them; a row of that name is replaced. */
  readonly insert: (entries: readonly ListedEntry[]) => void
  readonly remove: (names: readonly string[]) => void
  readonly rename: (from: string, to: string) => void
  /** Asks the server again and keeps scroll, focus and selection. */
  readonly reload: () => void
  /** Brings the row into view and focuses it. */
  readonly focus: (name: string) => void
  readonly selectAll: () => void
  readonly invertSelection: () => void
  readonly clearSelection: () => void
  readonly toggleMultiple: () => void
  readonly switchView: () => void
  /** Folders and files that are there in all. */
  readonly counts: () => { readonly folders: number; readonly files: number }
}

export const openFolder = createStore<OpenFolder | null>(null)

/** The open folder, if it is this one: what lies elsewhere has no rows to change. */
export function openFolderAt(folder: Path): OpenFolder | null {
  const open = openFolder.get()
  return open?.folder === folder ? open : null
}
