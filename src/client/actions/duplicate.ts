import type { Action } from './action.ts'
import { loadTransfers } from './transfer-operations.ts'

/** Copies the selected entries into their own folders, where the copies get numbered names. */
export const duplicate: Action = {
  id: 'duplicate',
  label: 'action.duplicate',
  icon: 'duplicate',
  needs: 'create',
  takes: 'some',
  keys: ['ctrl+d'],
  places: ['entry-menu'],
  menuGroup: 'edit',
  run: async (context) => (await loadTransfers()).startDuplicate(context),
}
