import { createDeviceStore } from './device-store.ts'

/** The choice to show the details of the selected entries beside the list, in windows that have room for them. */
export const detailsPane = createDeviceStore<'on' | 'off'>('details-pane', 'off', ['on', 'off'])

/**
 * The media query for the windows that have room for the details beside the list. Beside the sidebar (248 px) and the details (320
 * px), the list keeps 736 px, below which it would have the layout of phones. The design allows the pane from 1200 px (ux 2.2).
 */
export const detailsQuery = '(min-width: 1304px)'
