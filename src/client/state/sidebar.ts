import { createDeviceStore } from './device-store.ts'
import { createStore } from './store.ts'

/** The width of the sidebar on a wide screen: `full` shows icons and labels, and `rail` shows only icons. */
export const sidebarSize = createDeviceStore<'full' | 'rail'>('sidebar', 'full', ['full', 'rail'])

/** True while the sidebar covers the page on a narrow screen. */
export const isDrawerOpen = createStore(false)
