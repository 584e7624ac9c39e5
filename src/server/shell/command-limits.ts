/** The limits of commands that users run (security 3.8). */
export type CommandLimits = {
  /** The time in milliseconds after which a command is ended. */
  readonly timeMs: number
  readonly outputBytesPerSecond: number
  /** The length in bytes above which a line of output is split. */
  readonly lineBytes: number
  /** The maximum number of open command sockets of one user. */
  readonly socketsPerUser: number
  /**
   * The interval in milliseconds between two checks of the user's rights. The interval must be short enough for a
   * command to end within one second after the user has lost a right.
   */
  readonly recheckMs: number
}

export const commandLimits: CommandLimits = {
  timeMs: 60_000,
  outputBytesPerSecond: 1024 * 1024,
  lineBytes: 64 * 1024,
  socketsPerUser: 3,
  recheckMs: 250,
}
