import { Trash2 } from 'lucide'
import { prompt } from '../state/prompt.ts'
import type { Action } from './action.ts'

export const remove: Action = {
  id: 'delete',
  label: 'action.delete',
  icon: Trash2,
  needs: 'delete',
  takes: 'some',
  keys: ['Delete', 'shift+Delete'],
  places: ['file-header', 'selection-bar', 'entry-menu'],
  menuGroup: 'delete',
  run: ({ folder, selected }) => prompt.set({ kind: 'delete', folder, entries: selected }),
}
