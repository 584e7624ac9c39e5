import { Download } from 'lucide'
import { childOf } from '../../shared/domain/path.ts'
import { downloadFile } from '../operations/download.ts'
import { prompt } from '../state/prompt.ts'
import type { Action } from './action.ts'

/**
 * Downloads one file. For a folder or several entries, the user first chooses the format of an archive. When nothing is
 * selected, the open folder is downloaded.
 */
export const download: Action = {
  id: 'download',
  label: 'action.download',
  icon: Download,
  needs: 'download',
  takes: 'any',
  keys: ['ctrl+s'],
  places: ['header', 'file-header', 'selection-bar', 'entry-menu', 'folder-menu'],
  menuGroup: 'send',
  run: ({ folder, selected }) => {
    const [entry] = selected
    const path = entry ? childOf(folder, entry.name) : null
    if (selected.length !== 1 || entry?.isFolder === true || path === null)
      prompt.set({ kind: 'download', folder, entries: selected })
    else void downloadFile(path)
  },
}
