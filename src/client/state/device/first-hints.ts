import { createDeviceStore } from './device-store.ts'

/** Whether the hints for the first administrator are still to be shown on this device, or were closed. */
export const firstHints = createDeviceStore<'open' | 'closed'>('first-hints', 'open', ['open', 'closed'])

/** The id of the administrator that the server creates at its first start. */
export const firstUserId = 1
