import type { Path } from '../../../../shared/domain/path.ts'
import { insertRows, removeRows, renameRow, updateRows } from '../../../listing/rows/column-changes.ts'
import { type ListingColumns, idAt, idOfName, indexOfId } from '../../../listing/rows/columns.ts'
import { currentRows, rowOrderOfColumns } from '../../../listing/rows/folder-rows.ts'
import { folderListing } from '../../../listing/grid/shown-listings.ts'
import { keyOfEntry } from '../../../state/listed-entry.ts'
import type { OpenFolder, RefusedEntry } from '../../../state/open-folder.ts'
import { hasRow, rowsIn } from '../../../state/row-set.ts'
import {
  escapeSelection,
  focusRow,
  invert,
  selectAll,
  selectIds,
  setMultiple,
  withoutRows,
} from '../../../state/selection.ts'
import { folderLoader } from './folder-loader.ts'

const { selection, grid, quickLook } = folderListing

export type ListedFolderDependencies = {
  readonly folder: Path
  /** All rows of the folder. */
  readonly columns: ListingColumns
  /** The rows on screen: all rows, or the rows that match the search. */
  readonly shown: ListingColumns
  /** Selects rows and focuses the first of them, now or as soon as they have arrived. */
  readonly onReveal: (...names: readonly string[]) => void
}

/** Loads the code that saves the order and the view, which the first rows do not need. */
const loadPreferences = () => import('./preferences.ts')

/** Changes rows, and returns the ids of rows. */
type ColumnsChange = (columns: ListingColumns) => readonly number[]

/** Creates the object with which actions and operations read and change the folder on screen. */
export function createListedFolder({
  folder,
  columns,
  shown,
  onReveal,
}: ListedFolderDependencies): OpenFolder {
  const order = rowOrderOfColumns(shown)
  const change = (apply: () => readonly number[]): void => changeRows(shown, apply)
  /**
   * Applies a change of this tab to the rows on screen. The loader applies `again` to rows that were requested before the
   * change had ended. These rows may lack the change or contain it already, and the result has to be the same.
   */
  const changeOwn = (apply: ColumnsChange, again: ColumnsChange = apply): void => {
    folderLoader.recordChange(folder, again)
    change(() => apply(columns))
  }
  const listed: OpenFolder = {
    folder,
    has: (name) => idOfName(columns, name) !== -1,
    insert: (entries) =>
      changeOwn(
        (rows) => insertRows(rows, entries),
        (rows) => updateRows(rows, entries),
      ),
    remove: (names) => changeOwn((rows) => removeRows(rows, names)),
    rename: (from, to) => changeOwn((rows) => renameRow(rows, from, to)),
    watchFetches: folderLoader.watchFetches,
    reload: folderLoader.reload,
    focus: onReveal,
    showFailures: (refusals) => {
      const names = showFailures(folder, columns, refusals)
      if (names.length > 0 && mayTakeFocus()) onReveal(...names)
    },
    entryBeside: (name, step) => {
      const rows = currentRows(shown)
      return rows.entryAt(rows.indexOfName(name) + step) ?? null
    },
    selected: () => currentRows(columns).entriesOf(selection.get().chosen),
    selectAll: () => selection.set((current) => selectAll(current, order)),
    invertSelection: () => selection.set((current) => invert(current, order)),
    clearSelection: () => selection.set(escapeSelection),
    toggleMultiple: () => selection.set((current) => setMultiple(current, !current.isMultiple)),
    quickLook: () => {
      const { chosen, focusId } = selection.get()
      const first = rowsIn(chosen).next()
      if (first.done !== true && !hasRow(chosen, focusId))
        selection.set((current) => focusRow(current, first.value))
      quickLook.set('open')
    },
    sortedBy: columns.sortedBy,
    sortBy: async (by) => (await loadPreferences()).sortBy(by, columns.sortedBy),
    showView: async (mode) => (await loadPreferences()).showView(mode),
    switchView: async () => (await loadPreferences()).switchView(),
    counts: columns.summary,
  }
  receivingFolders.set(listed, { columns, shown, change })
  return listed
}

/** The rows of a folder on screen, as the changes that are made elsewhere need them. */
export type ReceivingFolder = Pick<ListedFolderDependencies, 'columns' | 'shown'> & {
  /** Applies a change that returns the ids of removed rows, and removes these rows from the selection. */
  readonly change: (apply: () => readonly number[]) => void
}

const receivingFolders = new WeakMap<OpenFolder, ReceivingFolder>()

/** Returns the rows of a folder that `createListedFolder` has created, or null for any other folder. */
export const receivingFolderOf = (open: OpenFolder): ReceivingFolder | null =>
  receivingFolders.get(open) ?? null

/** Shows the reasons in the rows and selects the rows. Returns their names. */
function showFailures(
  folder: Path,
  columns: ListingColumns,
  refusals: readonly RefusedEntry[],
): readonly string[] {
  folderListing.failures.set(
    new Map(refusals.map(({ entry, reason }) => [keyOfEntry(entry, folder), reason])),
  )
  if (refusals.length === 0) return []
  const ids = refusals.map(({ entry }) => idOfName(columns, entry.name)).filter((id) => id !== -1)
  selection.set((current) => selectIds(current, ids))
  return refusals.map(({ entry }) => entry.name)
}

/** Returns true while the focus is in the list or nowhere, so that moving it to a row disturbs nobody. */
const mayTakeFocus = (): boolean =>
  document.activeElement === document.body ||
  grid.current?.element()?.contains(document.activeElement) === true

/**
 * Changes rows and keeps selection and focus consistent: removed rows are no longer selected, and the row that takes
 * the place of a removed focused row gets the focus.
 */
function changeRows(shown: ListingColumns, change: () => readonly number[]): void {
  const { focusId } = selection.get()
  const index = indexOfId(shown, focusId)
  // The ids of the rows above the focus, or null while the ids are in the order of the rows.
  const above = shown.order?.slice(0, Math.max(index, 0)) ?? null
  const hadFocus = grid.current?.element()?.contains(document.activeElement) === true
  const removedIds = change()
  if (removedIds.length === 0) return
  selection.set((current) => withoutRows(current, removedIds))
  if (!removedIds.includes(focusId)) return
  const removed = new Set(removedIds)
  const removedAbove =
    above === null ? removedIds.filter((id) => id < focusId) : above.filter((id) => removed.has(id))
  const next = Math.min(index - removedAbove.length, shown.count - 1)
  selection.set((current) => focusRow(current, next === -1 ? -1 : idAt(shown, next)))
  if (hadFocus && next !== -1) grid.current?.focusIndex(next)
}
