import { Download } from 'lucide'
import { prompt } from '../state/prompt.ts'
import type { Action } from './action.ts'
import { fileToDownload } from './file-to-download.ts'

/** Downloads a folder or several entries as an archive whose format the user chooses. */
export const downloadAs: Action = {
  id: 'download-as',
  label: 'action.download-as',
  icon: Download,
  needs: 'download',
  takes: 'any',
  suits: (context) => fileToDownload(context) === null,
  keys: ['ctrl+shift+s'],
  places: ['entry-more', 'folder-more'],
  menuGroup: 'send',
  run: ({ folder, selected }) => prompt.set({ kind: 'download', folder, entries: selected }),
}
