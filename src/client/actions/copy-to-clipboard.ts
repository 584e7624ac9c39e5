import type { Action } from './action.ts'
import { loadTransfers } from './transfer-operations.ts'

export const copyToClipboard: Action = {
  id: 'copy-to-clipboard',
  label: 'action.copy-to-clipboard',
  icon: 'clipboard-copy',
  needs: 'create',
  takes: 'some',
  keys: ['ctrl+c'],
  isNative: true,
  places: ['entry-menu'],
  menuGroup: 'edit',
  run: async (context) => (await loadTransfers()).fillClipboard('copy', context),
}
