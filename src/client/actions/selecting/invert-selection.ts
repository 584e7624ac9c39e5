import { RefreshCw } from 'lucide'
import { openFolder } from '../../state/open-folder.ts'
import type { Action } from '../action.ts'

export const invertSelection: Action = {
  id: 'invert-selection',
  label: 'action.invert-selection',
  icon: RefreshCw,
  takes: 'nothing',
  keys: ['ctrl+i'],
  places: [],
  run: () => openFolder.get()?.invertSelection(),
}
