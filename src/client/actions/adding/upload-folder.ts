import { FolderInput } from 'lucide'
import { uploadPicked } from '../../operations/upload-picked.ts'
import type { Action } from '../action.ts'
import { directed } from '../../ui/icon.tsx'

/** Uploads a folder that the user chooses in the picker of the browser, with everything in it. */
export const uploadFolder: Action = {
  id: 'upload-folder',
  label: 'action.upload-folder',
  icon: directed(FolderInput),
  needs: 'create',
  takes: 'nothing',
  suits: () => !matchMedia('(pointer: coarse)').matches,
  keys: [],
  places: ['new-menu'],
  menuGroup: 'create',
  run: ({ folder }) => uploadPicked(folder, 'folder'),
}
