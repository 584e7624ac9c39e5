import type { Action } from './action.ts'
import { loadTransfers } from './transfer-operations.ts'

export const cut: Action = {
  id: 'cut',
  label: 'action.cut',
  icon: 'cut',
  needs: 'rename',
  takes: 'some',
  keys: ['ctrl+x'],
  isNative: true,
  places: ['entry-menu'],
  menuGroup: 'edit',
  run: async (context) => (await loadTransfers()).fillClipboard('move', context),
}
