import { Pencil } from 'lucide'
import { prompt } from '../state/prompt.ts'
import type { Action } from './action.ts'

export const rename: Action = {
  id: 'rename',
  label: 'action.rename',
  icon: Pencil,
  needs: 'rename',
  takes: 'one',
  keys: ['F2'],
  places: ['file-header', 'selection-bar', 'entry-menu'],
  menuGroup: 'edit',
  run: ({ folder, selected: [entry] }) => {
    if (entry) prompt.set({ kind: 'rename', folder, entry, isInline: false })
  },
  runByKey: ({ folder, selected: [entry] }) => {
    if (entry) prompt.set({ kind: 'rename', folder, entry, isInline: true })
  },
}
