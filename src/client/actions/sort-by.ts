import type { SortKey } from '../../shared/domain/sorting.ts'
import { openFolder } from '../state/open-folder.ts'
import type { Action } from './action.ts'

const isSortedBy = (by: SortKey): boolean => openFolder.get()?.sortedBy.by === by

/** Creates the action that sorts the open folder by one column. It does nothing while the folder has this order. */
const actionOf = (by: SortKey): Action => ({
  id: `sort-by-${by}`,
  icon: 'sort',
  takes: 'nothing',
  suits: () => openFolder.get() !== null,
  isChosen: () => isSortedBy(by),
  keys: [],
  places: ['folder-menu'],
  menuGroup: 'sort',
  run: () => {
    if (!isSortedBy(by)) openFolder.get()?.sortBy(by)
  },
})

export const sortByName = actionOf('name')
export const sortBySize = actionOf('size')
export const sortByModified = actionOf('modified')

/** Reverses the order of the open folder, as a click on the heading of the sorted column does. */
export const reverseOrder: Action = {
  id: 'reverse-order',
  icon: 'sort',
  takes: 'nothing',
  suits: () => openFolder.get() !== null,
  keys: [],
  places: ['folder-menu'],
  menuGroup: 'sort',
  run: () => {
    const open = openFolder.get()
    open?.sortBy(open.sortedBy.by)
  },
}
