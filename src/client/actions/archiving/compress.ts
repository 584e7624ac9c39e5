import { FileArchive } from 'lucide'
import { offers } from '../../api/config.ts'
import { prompt } from '../../state/prompt.ts'
import type { Action } from '../action.ts'

/** Packs the selected entries into a new archive in the open folder. The user chooses its name and format. */
export const compress: Action = {
  id: 'compress',
  label: 'action.compress',
  icon: FileArchive,
  needs: 'create',
  takes: 'some',
  isInOneFolder: true,
  suits: ({ may }) => offers('archive') && may('download'),
  keys: [],
  places: ['entry-more'],
  menuGroup: 'send',
  run: ({ folder, selected }) => prompt.set({ kind: 'compress', folder, entries: selected }),
}
