import { Scissors } from 'lucide'
import type { Action } from './action.ts'
import { operationsAfterRows } from '../operations/load-after-rows.ts'

export const cut: Action = {
  id: 'cut',
  label: 'action.cut',
  icon: Scissors,
  needs: 'rename',
  takes: 'some',
  keys: ['ctrl+x'],
  isNative: true,
  places: ['entry-more'],
  menuGroup: 'copy',
  run: async (context) => (await operationsAfterRows.load()).fillClipboard('move', context),
}
