import { Pin } from 'lucide'
import { unreachablePath } from '../state/open-folder.ts'
import { operationsAfterRows } from '../operations/load-after-rows.ts'
import type { Action } from './action.ts'
import { isTargetPinned, pinTargetOf } from './pin-target.ts'

export const pin: Action = {
  id: 'pin',
  label: 'action.pin',
  icon: Pin,
  takes: 'any',
  isInOneFolder: true,
  suits: (context) => isTargetPinned(context) === false && context.folder !== unreachablePath.get(),
  keys: [],
  places: ['entry-more', 'folder-more'],
  menuGroup: 'facts',
  run: async (context) => {
    const target = pinTargetOf(context)
    const { pinFolder } = await operationsAfterRows.load()
    if (target !== null) pinFolder(target)
  },
}
