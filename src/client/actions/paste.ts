import { clipboard } from '../state/clipboard.ts'
import type { Action } from './action.ts'
import { loadTransfers } from './transfer-operations.ts'

/** Pastes the clipboard into the open folder. Moving cut entries needs another permission than copying. */
export const paste: Action = {
  id: 'paste',
  label: 'action.paste',
  icon: 'clipboard-paste',
  takes: 'nothing',
  suits: ({ may }) => {
    const content = clipboard.get()
    return content !== null && may(content.verb === 'move' ? 'rename' : 'create')
  },
  keys: ['ctrl+v'],
  isNative: true,
  places: ['entry-menu', 'folder-menu'],
  menuGroup: 'edit',
  run: async ({ folder }) => (await loadTransfers()).startPaste(folder),
}
