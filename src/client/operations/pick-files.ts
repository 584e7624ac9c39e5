import type { UploadItem } from './upload-plan.ts'

/**
 * Opens the browser's picker for files, or for a folder with everything in it. Resolves to an empty list when the user
 * cancels.
 */
export function pickFiles(kind: 'files' | 'folder'): Promise<readonly UploadItem[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input')
    input.type = 'file'
    input.multiple = true
    input.webkitdirectory = kind === 'folder'
    input.hidden = true
    const finish = (): void => {
      resolve(Array.from(input.files ?? [], itemOf))
      input.remove()
    }
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
