import { childOf } from '../../shared/domain/path.ts'
import { downloadFile } from '../operations/download.ts'
import type { Action } from './action.ts'

/** One file. Folders and several entries come as an archive, which the server does not write yet. */
export const download: Action = {
  id: 'download',
  icon: 'download',
  needs: 'download',
  takes: 'one',
  suits: ({ selected: [entry] }) => entry?.isFolder === false && !entry.isBroken,
  keys: ['ctrl+s'],
  places: ['header', 'selection-bar'],
  run: ({ folder, selected: [entry] }) => {
    const path = entry ? childOf(folder, entry.name) : null
    if (entry && path) downloadFile(path, entry.name)
  },
}
