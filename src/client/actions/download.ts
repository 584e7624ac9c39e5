import { childOf } from '../../shared/domain/path.ts'
import { downloadFile } from '../operations/download.ts'
import type { Action } from './action.ts'

/**
 * Downloads one file. Folders and several entries need an archive, which the server does not offer to this client yet.
 */
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
