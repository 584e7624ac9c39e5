import { PinOff } from 'lucide'
import { operationsAfterRows } from '../operations/load-after-rows.ts'
import type { Action } from './action.ts'
import { isTargetPinned, pinTargetOf } from './pin-target.ts'

export const unpin: Action = {
  id: 'unpin',
  label: 'action.unpin',
  icon: PinOff,
  takes: 'any',
  isInOneFolder: true,
  suits: (context) => isTargetPinned(context) === true,
  keys: [],
  places: ['entry-more', 'folder-more'],
  menuGroup: 'facts',
  run: async (context) => {
    const target = pinTargetOf(context)
    const { unpinFolder } = await operationsAfterRows.load()
    if (target !== null) unpinFolder(target)
  },
}
