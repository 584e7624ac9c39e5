import { prompt } from '../state/prompt.ts'
import type { Action } from './action.ts'

export const move: Action = {
  id: 'move',
  label: 'action.move',
  icon: 'folder-input',
  needs: 'rename',
  takes: 'some',
  keys: ['m'],
  places: ['header', 'selection-bar', 'entry-menu'],
  menuGroup: 'edit',
  run: ({ folder, selected }) => prompt.set({ kind: 'transfer', verb: 'move', folder, entries: selected }),
}
