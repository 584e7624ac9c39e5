import { unreachablePath } from '../state/open-folder.ts'
import type { Action } from './action.ts'
import { isTargetPinned, pinTargetOf } from './pin-target.ts'

export const pin: Action = {
  id: 'pin',
  label: 'action.pin',
  icon: 'pin',
  takes: 'any',
  isInOneFolder: true,
  suits: (context) => isTargetPinned(context) === false && context.folder !== unreachablePath.get(),
  keys: [],
  places: ['entry-menu', 'folder-menu'],
  menuGroup: 'facts',
  run: async (context) => {
    const target = pinTargetOf(context)
    const { pinFolder } = await import('../state/saved-pins.ts')
    if (target !== null) pinFolder(target)
  },
}
