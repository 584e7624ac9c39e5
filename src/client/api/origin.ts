/**
 * A random id of this tab, sent as `X-Origin`. The id lets the tab recognise events that its own changes caused. Unlike
 * `randomUUID`, `getRandomValues` is also available over plain http.
 */
export const origin: string = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
  byte.toString(16).padStart(2, '0'),
).join('')
