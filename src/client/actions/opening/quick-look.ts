import { ScanEye } from 'lucide'
import { openFolder } from '../../state/open-folder.ts'
import type { Action } from '../action.ts'

/** Shows the content of the selected entries above the list. The list itself handles Space. */
export const quickLook: Action = {
  id: 'quick-look',
  label: 'action.quick-look',
  icon: ScanEye,
  takes: 'some',
  suits: () => openFolder.get() !== null,
  keys: [],
  listKey: 'Space',
  places: ['entry-menu'],
  menuGroup: 'open',
  run: () => openFolder.get()?.quickLook(),
}
