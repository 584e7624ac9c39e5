import { ArrowUpDown } from 'lucide'
import type { SortKey } from '../../shared/domain/sorting.ts'
import { openFolder } from '../state/open-folder.ts'
import type { Action } from './action.ts'

/**
 * Creates the action that sorts the open folder by a column, which does nothing while the folder has this order. Without a
 * column, the action reverses the order, as a click on the heading of the sorted column does.
 */
const actionOf = (by: SortKey | null, label: Action['label']): Action => ({
  id: by === null ? 'reverse-order' : `sort-by-${by}`,
  label,
  icon: ArrowUpDown,
  takes: 'nothing',
  suits: () => openFolder.get() !== null,
  isChosen: () => openFolder.get()?.sortedBy.by === by,
  keys: [],
  places: ['folder-more'],
  menuGroup: 'sort',
  run: () => {
    const open = openFolder.get()
    if (open !== null && open.sortedBy.by !== by) void open.sortBy(by ?? open.sortedBy.by)
  },
})

export const sortByName = actionOf('name', 'action.sort-by-name')
export const sortBySize = actionOf('size', 'action.sort-by-size')
export const sortByModified = actionOf('modified', 'action.sort-by-modified')
export const reverseOrder = actionOf(null, 'action.reverse-order')
