import { FilePlus2 } from 'lucide'
import { prompt } from '../../state/prompt.ts'
import type { Action } from '../action.ts'

export const newFile: Action = {
  id: 'new-file',
  label: 'action.new-file',
  icon: FilePlus2,
  needs: 'create',
  takes: 'nothing',
  keys: ['alt+shift+n'],
  places: ['sidebar', 'new-menu', 'folder-menu'],
  menuGroup: 'create',
  run: ({ folder }) => prompt.set({ kind: 'new-file', folder }),
}
