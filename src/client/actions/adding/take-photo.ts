import { Camera } from 'lucide'
import { uploadPicked } from '../../operations/upload-picked.ts'
import type { Action } from '../action.ts'

/** Takes a photo with the camera of the device and uploads it. The action is offered on touch screens only. */
export const takePhoto: Action = {
  id: 'take-photo',
  label: 'action.take-photo',
  icon: Camera,
  needs: 'create',
  takes: 'nothing',
  suits: () => matchMedia('(pointer: coarse)').matches,
  keys: [],
  places: ['new-menu'],
  menuGroup: 'create',
  run: ({ folder }) => uploadPicked(folder, 'photo'),
}
