import { CopyPlus } from 'lucide'
import type { Action } from './action.ts'
import { operationsAfterRows } from '../operations/load-after-rows.ts'

/** Copies the selected entries into their own folders, where the copies get numbered names. */
export const duplicate: Action = {
  id: 'duplicate',
  label: 'action.duplicate',
  icon: CopyPlus,
  needs: 'create',
  takes: 'some',
  keys: ['ctrl+d'],
  places: ['entry-more'],
  menuGroup: 'copy',
  run: async (context) => (await operationsAfterRows.load()).startDuplicate(context),
}
