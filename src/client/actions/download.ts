import { childOf } from '../../shared/domain/path.ts'
import { downloadFile } from '../operations/download.ts'
import type { Action } from './action.ts'

/**
 * Downloads one file. Downloading a folder or several entries requires an archive, which this client does not support
 * yet.
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
