import type { UploadItem } from './upload-plan.ts'

/** Lets the person pick files, or a folder with everything in it. Empty when they change their mind. */
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

/** A file with its names below what was picked; a picked file has only its own. */
export const itemOf = (file: File): UploadItem => ({
  names: (file.webkitRelativePath || file.name).split('/'),
  file,
})
