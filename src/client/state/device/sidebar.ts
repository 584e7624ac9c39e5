import { createDeviceStore } from './device-store.ts'
import { createStore } from '../store.ts'

/** The width of the sidebar on a wide screen: `full` shows icons and labels, and `rail` shows only icons. */
export const sidebarSize = createDeviceStore<'full' | 'rail'>('sidebar', 'full', ['full', 'rail'])

/** The range and the initial value of the full sidebar's width, in CSS pixels. */
export const sidebarWidthLimits = { min: 200, initial: 248, max: 400 } as const

const { min, initial, max } = sidebarWidthLimits

/** The width of the full sidebar in CSS pixels, as the string that the browser's storage keeps. */
export const sidebarWidth = createDeviceStore(
  'sidebar-width',
  String(initial),
  Array.from({ length: max - min + 1 }, (_, step) => String(min + step)),
)

/** True while the sidebar covers the page in a window that has no room for the full sidebar. */
export const isDrawerOpen = createStore(false)

/** Opens or closes the drawer of a window of at most 1024 px, and switches between the two widths in a wider window. */
export function toggleSidebar(isDrawer: boolean): void {
  if (isDrawer) isDrawerOpen.set((isOpen) => !isOpen)
  else sidebarSize.set((size) => (size === 'full' ? 'rail' : 'full'))
}
