import { openFolder } from '../state/open-folder.ts'
import type { Action } from './action.ts'

/** Shows the selected entry above the listing. The quick look handles its key itself, because the list uses it, too. */
export const quickLook: Action = {
  id: 'quick-look',
  icon: 'eye',
  takes: 'one',
  keys: ['Space'],
  places: ['entry-menu'],
  menuGroup: 'open',
  run: () => openFolder.get()?.lookAtFocused(),
}
