import { FileArchive } from 'lucide'
import { archiveNameOf } from '../../../shared/domain/archive-names.ts'
import { offers } from '../../api/config.ts'
import { prompt } from '../../state/prompt.ts'
import type { Action } from '../action.ts'

/** Extracts an archive into a new folder. The user chooses where. */
export const extract: Action = {
  id: 'extract',
  label: 'action.extract',
  icon: FileArchive,
  needs: 'create',
  takes: 'one',
  suits: ({ selected: [entry], may }) =>
    offers('archive') && may('download') && entry?.isFolder === false && archiveNameOf(entry.name) !== null,
  keys: [],
  places: ['entry-more', 'file-header'],
  menuGroup: 'send',
  run: ({ folder, selected }) => prompt.set({ kind: 'transfer', verb: 'extract', folder, entries: selected }),
}
