import { ClipboardCopy } from 'lucide'
import type { Action } from './action.ts'
import { operationsAfterRows } from '../operations/load-after-rows.ts'

export const copyToClipboard: Action = {
  id: 'copy-to-clipboard',
  label: 'action.copy-to-clipboard',
  icon: ClipboardCopy,
  needs: 'create',
  takes: 'some',
  keys: ['ctrl+c'],
  isNative: true,
  places: ['entry-more'],
  menuGroup: 'copy',
  run: async (context) => (await operationsAfterRows.load()).fillClipboard('copy', context),
}
