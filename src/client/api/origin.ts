/** Names this tab in `X-Origin`, so that the events of its own changes are recognised. Plain http has `getRandomValues` too. */
export const origin: string = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
  byte.toString(16).padStart(2, '0'),
).join('')
