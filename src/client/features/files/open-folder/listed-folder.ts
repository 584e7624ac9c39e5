import type { RefObject } from 'react'
import type { Path } from '../../../../shared/domain/path.ts'
import { insertRows, removeRows, renameRow } from '../../../listing/rows/column-changes.ts'
import { type ListingColumns, idAt, idOfName, indexOfId } from '../../../listing/rows/columns.ts'
import { rowOrderOfColumns } from '../../../listing/rows/folder-rows.ts'
import type { GridHandle } from '../../../listing/grid/grid-handle.ts'
import type { OpenFolder } from '../../../state/open-folder.ts'
import {
  escapeSelection,
  focusRow,
  invert,
  selectAll,
  selection,
  setMultiple,
  withoutRows,
} from '../../../state/selection.ts'
import { folderLoader } from './folder-loader.ts'
import { switchView } from './preferences.ts'

export type ListedFolderDependencies = {
  readonly folder: Path
  readonly columns: ListingColumns
  readonly grid: RefObject<GridHandle | null>
  /** Focuses a row and scrolls it into view, now or as soon as it has arrived. */
  readonly onReveal: (name: string) => void
}

/** Creates the object with which actions and operations read and change the folder on screen. */
export function createListedFolder({
  folder,
  columns,
  grid,
  onReveal,
}: ListedFolderDependencies): OpenFolder {
  const order = rowOrderOfColumns(columns)
  return {
    folder,
    has: (name) => idOfName(columns, name) !== -1,
    insert: (entries) => changeRows(columns, grid, () => insertRows(columns, entries)),
    remove: (names) => changeRows(columns, grid, () => removeRows(columns, names)),
    rename: (from, to) => changeRows(columns, grid, () => renameRow(columns, from, to)),
    watchFetches: folderLoader.watchFetches,
    reload: folderLoader.reload,
    focus: onReveal,
    selectAll: () => selection.set((current) => selectAll(current, order)),
    invertSelection: () => selection.set((current) => invert(current, order)),
    clearSelection: () => selection.set(escapeSelection),
    toggleMultiple: () => selection.set((current) => setMultiple(current, !current.isMultiple)),
    switchView,
    counts: columns.summary,
  }
}

/**
 * Changes rows and keeps selection and focus consistent: removed rows are no longer selected, and the row that takes
 * the place of a removed focused row gets the focus.
 */
function changeRows(
  columns: ListingColumns,
  grid: RefObject<GridHandle | null>,
  change: () => readonly number[],
): void {
  const { focusId } = selection.get()
  const index = indexOfId(columns, focusId)
  const hadFocus = grid.current?.element()?.contains(document.activeElement) === true
  const removedIds = change()
  if (removedIds.length === 0) return
  selection.set((current) => withoutRows(current, removedIds))
  if (!removedIds.includes(focusId)) return
  const next = Math.min(index, columns.count - 1)
  selection.set((current) => focusRow(current, next === -1 ? -1 : idAt(columns, next)))
  if (hadFocus && next !== -1) grid.current?.focusIndex(next)
}
