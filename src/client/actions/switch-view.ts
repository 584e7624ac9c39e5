import { LayoutGrid } from 'lucide'
import { openFolder } from '../state/open-folder.ts'
import type { Action } from './action.ts'

export const switchView: Action = {
  id: 'switch-view',
  label: 'action.switch-view',
  icon: LayoutGrid,
  takes: 'nothing',
  keys: [],
  places: ['header'],
  run: () => openFolder.get()?.switchView(),
}
