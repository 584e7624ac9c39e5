/**
 * A random id of this tab, sent as `X-Origin`. With it the tab recognises the events of its own changes.
 * `getRandomValues` is available over plain http too, unlike `randomUUID`.
 */
export const origin: string = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
  byte.toString(16).padStart(2, '0'),
).join('')
