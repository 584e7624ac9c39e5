import { Upload } from 'lucide'
import { prompt } from '../../state/prompt.ts'
import type { Action } from '../action.ts'

export const upload: Action = {
  id: 'upload',
  label: 'action.upload',
  icon: Upload,
  needs: 'create',
  takes: 'nothing',
  keys: ['ctrl+u'],
  places: ['header', 'folder-menu'],
  menuGroup: 'create',
  run: ({ folder }) => prompt.set({ kind: 'upload', folder }),
}
