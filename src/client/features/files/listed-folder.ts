import type { RefObject } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { insertEntries, removeEntries, renameEntry } from '../../listing/rows/column-changes.ts'
import {
  type Columns,
  folderTotalOf,
  idAt,
  idOfName,
  indexOfId,
  totalOf,
} from '../../listing/rows/columns.ts'
import { rowOrderOfColumns } from '../../listing/rows/folder-rows.ts'
import type { GridHandle } from '../../listing/grid/grid.tsx'
import type { OpenFolder } from '../../state/open-folder.ts'
import {
  escapeSelection,
  focusRow,
  invert,
  selectAll,
  selection,
  setMultiple,
  withoutRows,
} from '../../state/selection.ts'
import { folderDesk } from './folder-desk.ts'
import { switchView } from './preferences.ts'

export type ListedFolderNeeds = {
  readonly folder: Path
  readonly columns: Columns
  readonly grid: RefObject<GridHandle | null>
  /** Brings a row into view now, or as soon as it has arrived. */
  readonly onReveal: (name: string) => void
}

/** The folder on screen as verbs and operations see it. */
export function listedFolder({ folder, columns, grid, onReveal }: ListedFolderNeeds): OpenFolder {
  const order = rowOrderOfColumns(columns)
  return {
    folder,
    has: (name) => idOfName(columns, name) !== -1,
    insert: (entries) => leave(columns, grid, () => insertEntries(columns, entries)),
    remove: (names) => leave(columns, grid, () => removeEntries(columns, names)),
    rename: (from, to) => leave(columns, grid, () => renameEntry(columns, from, to)),
    reload: folderDesk.reload,
    focus: onReveal,
    selectAll: () => selection.set((now) => selectAll(now, order)),
    invertSelection: () => selection.set((now) => invert(now, order)),
    clearSelection: () => selection.set(escapeSelection),
    toggleMultiple: () => selection.set((now) => setMultiple(now, !now.isMultiple)),
    switchView,
    counts: () => ({ folders: folderTotalOf(columns), files: totalOf(columns) - folderTotalOf(columns) }),
  }
}

/** Rows that leave are no longer chosen; when the focused one leaves, the one that takes its place has the focus. */
function leave(columns: Columns, grid: RefObject<GridHandle | null>, change: () => readonly number[]): void {
  const { focusId } = selection.get()
  const index = indexOfId(columns, focusId)
  const hadFocus = grid.current?.element()?.contains(document.activeElement) === true
  const gone = change()
  if (gone.length === 0) return
  selection.set((now) => withoutRows(now, gone))
  if (!gone.includes(focusId)) return
  const next = Math.min(index, columns.count - 1)
  selection.set((now) => focusRow(now, next === -1 ? -1 : idAt(columns, next)))
  if (hadFocus && next !== -1) grid.current?.focusIndex(next)
}
