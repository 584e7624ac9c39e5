import { ClipboardPaste } from 'lucide'
import { clipboard } from '../state/clipboard.ts'
import type { Action } from './action.ts'
import { operationsAfterRows } from '../operations/load-after-rows.ts'

/** Pastes the clipboard into the open folder. Moving cut entries needs another permission than copying. */
export const paste: Action = {
  id: 'paste',
  label: 'action.paste',
  icon: ClipboardPaste,
  takes: 'nothing',
  suits: ({ may }) => {
    const content = clipboard.get()
    return content !== null && may(content.verb === 'move' ? 'rename' : 'create')
  },
  keys: ['ctrl+v'],
  isNative: true,
  places: ['entry-more', 'folder-menu'],
  menuGroup: 'copy',
  run: async ({ folder }) => (await operationsAfterRows.load()).startPaste(folder),
}
