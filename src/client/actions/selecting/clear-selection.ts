import { openFolder } from '../../state/open-folder.ts'
import type { Action } from '../action.ts'

export const clearSelection: Action = {
  id: 'clear-selection',
  icon: 'close',
  takes: 'nothing',
  keys: ['Escape'],
  places: [],
  run: () => openFolder.get()?.clearSelection(),
}
