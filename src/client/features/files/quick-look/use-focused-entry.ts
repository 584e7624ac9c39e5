import { indexOfId, type ListingColumns } from '../../../listing/rows/columns.ts'
import { useFolderRows } from '../../../listing/rows/folder-rows.ts'
import type { ListedEntry } from '../../../state/listed-entry.ts'
import { selection } from '../../../state/selection.ts'
import { useStore } from '../../../state/store.ts'

/** Returns the entry of the row that has the focus in the list, or undefined while no row has it. */
export function useFocusedEntry(columns: ListingColumns): ListedEntry | undefined {
  const { focusId } = useStore(selection)
  return useFolderRows(columns).entryAt(indexOfId(columns, focusId))
}
