/**
 * The reasons with which the server closes the socket of a command that did not run. The server sends an English text
 * as the only line of output before, which other clients show; the client of Stowage shows a message of its own.
 */
export const commandRefusals = [
  'not-allowed',
  'open-escape',
  'open-quote',
  'no-program',
  'no-folder',
  'failed',
] as const

export type CommandRefusal = (typeof commandRefusals)[number]
