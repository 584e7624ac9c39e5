import { Check } from 'lucide'
import { openFolder } from '../../state/open-folder.ts'
import type { Action } from '../action.ts'

export const selectAll: Action = {
  id: 'select-all',
  label: 'action.select-all',
  icon: Check,
  takes: 'nothing',
  keys: ['ctrl+a'],
  places: ['folder-menu'],
  menuGroup: 'select',
  run: () => openFolder.get()?.selectAll(),
}
