import { userSignal } from '../state/personal.ts'
import type { UploadItem } from './upload-plan.ts'

export type PickedKind = 'files' | 'folder' | 'photo' | 'picture'

/**
 * Opens the browser's picker for files, or for a folder with everything in it, or the camera for a photo, or for one picture. Resolves to an empty list when the user
 * cancels. Files that are chosen after the user has left are ignored, since the next user must not upload them.
 */
export function pickFiles(kind: PickedKind): Promise<readonly UploadItem[]> {
  const untilLogout = userSignal()
  return new Promise((resolve) => {
    const input = document.createElement('input')
    input.type = 'file'
    input.multiple = kind === 'files' || kind === 'folder'
    if (kind === 'picture') input.accept = '.png,.webp,.svg'
    if (kind === 'photo') input.accept = 'image/*'
    if (kind === 'photo') input.setAttribute('capture', 'environment')
    input.webkitdirectory = kind === 'folder'
    input.hidden = true
    const finish = (): void => {
      resolve(untilLogout.aborted ? [] : Array.from(input.files ?? [], itemOf))
      input.remove()
    }
    untilLogout.addEventListener('abort', finish, { once: true })
    input.addEventListener('change', finish)
    input.addEventListener('cancel', finish)
    document.body.append(input)
    input.click()
  })
}

/**
 * Converts a chosen file to an upload item. For a file of a chosen folder, `names` includes the folders above the file.
 */
export const itemOf = (file: File): UploadItem => ({
  names: (file.webkitRelativePath || file.name).split('/'),
  file,
})
