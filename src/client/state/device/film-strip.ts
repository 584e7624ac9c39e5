import { createDeviceStore } from './device-store.ts'

/** The choice to show the other pictures of the folder as a strip below an open picture. */
export const filmStrip = createDeviceStore<'on' | 'off'>('film-strip', 'on', ['on', 'off'])
