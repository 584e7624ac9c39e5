import { Upload } from 'lucide'
import { uploadPicked } from '../../operations/upload-picked.ts'
import type { Action } from '../action.ts'

/** Uploads files that the user chooses in the picker of the browser. */
export const uploadFiles: Action = {
  id: 'upload-files',
  label: 'action.upload-files',
  icon: Upload,
  needs: 'create',
  takes: 'nothing',
  keys: [],
  places: ['new-menu'],
  menuGroup: 'create',
  run: ({ folder }) => uploadPicked(folder, 'files'),
}
