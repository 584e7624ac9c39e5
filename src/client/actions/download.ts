import { Download } from 'lucide'
import { downloadFile } from '../operations/download.ts'
import { operationsAfterRows } from '../operations/load-after-rows.ts'
import type { Action } from './action.ts'
import { fileToDownload } from './file-to-download.ts'

/** Downloads one file, or a zip archive of a folder or several entries. When nothing is selected, the open folder is downloaded. */
export const download: Action = {
  id: 'download',
  label: 'action.download',
  icon: Download,
  needs: 'download',
  takes: 'any',
  keys: ['ctrl+s'],
  places: ['header', 'file-header', 'selection-bar', 'entry-menu', 'folder-menu'],
  menuGroup: 'send',
  run: async (context) => {
    const file = fileToDownload(context)
    if (file === null) (await operationsAfterRows.load()).downloadEntries(context.folder, context.selected)
    else void downloadFile(file)
  },
}
