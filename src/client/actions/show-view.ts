import { Images, LayoutGrid, Rows3 } from 'lucide'
import type { ViewMode } from '../../shared/contract/fields/user-fields.ts'
import { viewModeOf } from '../state/device/folder-views.ts'
import { openFolder } from '../state/open-folder.ts'
import type { IconDrawing } from '../ui/icon.tsx'
import type { Action } from './action.ts'

type ViewAction = {
  readonly view: 'list' | 'mosaic' | 'gallery'
  readonly label: Action['label']
  readonly mode: ViewMode
  readonly icon: IconDrawing
  readonly digit: 1 | 2 | 3
}

/** Creates the action that shows the open folder in one view. While the folder has this view, the action does not apply. */
const actionOf = ({ view, label, mode, icon, digit }: ViewAction): Action => ({
  id: `show-${view}`,
  label,
  icon,
  takes: 'nothing',
  suits: () => {
    const folder = openFolder.get()?.folder
    return folder !== undefined && viewModeOf(folder) !== mode
  },
  keys: [`ctrl+shift+${digit}`],
  places: ['folder-more'],
  menuGroup: 'view',
  run: () => openFolder.get()?.showView(mode),
})

export const showList = actionOf({
  view: 'list',
  label: 'action.show-list',
  mode: 'list',
  icon: Rows3,
  digit: 1,
})
export const showMosaic = actionOf({
  view: 'mosaic',
  label: 'action.show-mosaic',
  mode: 'mosaic',
  icon: LayoutGrid,
  digit: 2,
})
export const showGallery = actionOf({
  view: 'gallery',
  label: 'action.show-gallery',
  mode: 'mosaic gallery',
  icon: Images,
  digit: 3,
})
