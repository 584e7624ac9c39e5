import { toggleSidebar as toggle } from '../../state/device/sidebar.ts'
import { mobileQuery, railQuery } from '../../ui/use-media.ts'
import type { Action } from '../action.ts'

const isDrawer = (): boolean => matchMedia(mobileQuery).matches

/** Shows or hides the sidebar. Windows of medium width have only the narrow sidebar. */
export const toggleSidebar: Action = {
  id: 'toggle-sidebar',
  icon: 'menu',
  takes: 'nothing',
  suits: () => isDrawer() || !matchMedia(railQuery).matches,
  keys: ['ctrl+b'],
  isGlobal: true,
  places: [],
  run: () => toggle(isDrawer()),
}
