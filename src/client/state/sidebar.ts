import { createDeviceStore } from './device.ts'
import { createStore } from './store.ts'

/** How wide the sidebar is on a wide screen: with words, or icons only. */
export const sidebarSize = createDeviceStore<'full' | 'rail'>('sidebar', 'full', ['full', 'rail'])

/** Whether the sidebar is drawn over the page on a narrow screen. */
export const isDrawerOpen = createStore(false)
