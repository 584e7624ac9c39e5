/**
 * The reasons with which the server closes the socket of a command that did not run. The server sends an English text
 * as the only line of output before, which other clients show; the client of Stowage shows a message of its own. Each user learns only about the user's own rights.
 */
export const commandRefusals = [
  'not-allowed',
  'commands-off',
  'may-not-execute',
  'not-listed',
  'restricted',
  'open-escape',
  'open-quote',
  'no-program',
  'no-folder',
  'failed',
] as const

export type CommandRefusal = (typeof commandRefusals)[number]
