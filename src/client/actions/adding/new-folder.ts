import { FolderPlus } from 'lucide'
import { prompt } from '../../state/prompt.ts'
import type { Action } from '../action.ts'

export const newFolder: Action = {
  id: 'new-folder',
  label: 'action.new-folder',
  icon: FolderPlus,
  needs: 'create',
  takes: 'nothing',
  keys: ['alt+n'],
  places: ['sidebar', 'new-menu', 'folder-menu'],
  menuGroup: 'create',
  run: ({ folder }) => prompt.set({ kind: 'new-folder', folder }),
}
