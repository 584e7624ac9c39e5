import { X } from 'lucide'
import { openFolder } from '../../state/open-folder.ts'
import type { Action } from '../action.ts'

export const clearSelection: Action = {
  id: 'clear-selection',
  label: 'action.clear-selection',
  icon: X,
  takes: 'nothing',
  keys: ['Escape'],
  places: [],
  run: () => openFolder.get()?.clearSelection(),
}
