/** What people's commands may take (security 3.8). */
export type CommandLimits = {
  readonly timeMs: number
  readonly outputBytesPerSecond: number
  /** Longer lines come in pieces. */
  readonly lineBytes: number
  readonly socketsPerUser: number
  /** How often is looked whether its sender may still run it: a command ends within a second of the end of a right. */
  readonly lookMs: number
}

export const commandLimits: CommandLimits = {
  timeMs: 60_000,
  outputBytesPerSecond: 1024 * 1024,
  lineBytes: 64 * 1024,
  socketsPerUser: 3,
  lookMs: 250,
}
