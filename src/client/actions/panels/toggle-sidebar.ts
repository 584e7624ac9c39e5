import { Menu } from 'lucide'
import { toggleSidebar as toggle } from '../../state/device/sidebar.ts'
import { railQuery } from '../../ui/measuring/use-media.ts'
import type { Action } from '../action.ts'

/** Shows or hides the sidebar. Where the window has no room for the full sidebar, it opens above the page. */
export const toggleSidebar: Action = {
  id: 'toggle-sidebar',
  label: 'action.toggle-sidebar',
  icon: Menu,
  takes: 'nothing',
  keys: ['ctrl+b'],
  isGlobal: true,
  places: [],
  run: () => toggle(matchMedia(railQuery).matches),
}
