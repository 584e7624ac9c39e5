import { Copy } from 'lucide'
import { prompt } from '../state/prompt.ts'
import type { Action } from './action.ts'

export const copy: Action = {
  id: 'copy',
  label: 'action.copy',
  icon: Copy,
  needs: 'create',
  takes: 'some',
  keys: [],
  places: ['selection-bar', 'entry-menu'],
  menuGroup: 'copy',
  run: ({ folder, selected }) => prompt.set({ kind: 'transfer', verb: 'copy', folder, entries: selected }),
}
