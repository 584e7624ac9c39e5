import { createDeviceStore } from './device-store.ts'

/** The state of the hints for the first administrator on this device: still to be shown, or closed. */
export const firstHints = createDeviceStore<'open' | 'closed'>('first-hints', 'open', ['open', 'closed'])

/** The id of the administrator that the server creates at its first start. */
export const firstUserId = 1
