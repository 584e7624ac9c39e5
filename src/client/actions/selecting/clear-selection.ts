import { X } from 'lucide'
import { closeContextMenu, contextMenu } from '../../state/context-menu.ts'
import { openFolder } from '../../state/open-folder.ts'
import type { Action } from '../action.ts'

export const clearSelection: Action = {
  id: 'clear-selection',
  label: 'action.clear-selection',
  icon: X,
  takes: 'nothing',
  keys: ['Escape'],
  places: [],
  run: () => openFolder.get()?.clearSelection(),
  // A context menu whose code is still being loaded cannot handle the key itself.
  runByKey: () => (contextMenu.get() === null ? openFolder.get()?.clearSelection() : closeContextMenu()),
}
