import { createDeviceStore } from './device-store.ts'

/** True when the other pictures of the folder are shown as a strip below an open picture. */
export const filmStrip = createDeviceStore<'on' | 'off'>('film-strip', 'on', ['on', 'off'])
