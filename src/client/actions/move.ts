import { FolderInput } from 'lucide'
import { prompt } from '../state/prompt.ts'
import type { Action } from './action.ts'
import { directed } from '../ui/icon.tsx'

export const move: Action = {
  id: 'move',
  label: 'action.move',
  icon: directed(FolderInput),
  needs: 'rename',
  takes: 'some',
  keys: ['m'],
  places: ['selection-bar', 'entry-menu'],
  menuGroup: 'edit',
  run: ({ folder, selected }) => prompt.set({ kind: 'transfer', verb: 'move', folder, entries: selected }),
}
