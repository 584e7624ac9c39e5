import { setTimeout as pause } from 'node:timers/promises'
import type { Socket } from '../http/socket-route.ts'
import { commandLimits, type CommandLimits } from './command-limits.ts'
import { createLineSplitter } from './line-splitter.ts'
import { createTokenBucket } from './token-bucket.ts'

/** Sends the output of a program to a socket. The program is blocked until the returned promise resolves. */
export type CommandOutput = {
  readonly take: (bytes: Uint8Array) => Promise<void>
  /** Sends the last line if it has no line break. */
  end(): Promise<void>
}

/** The cost in bytes of each message besides its text. Without this cost, empty lines could be sent by the million. */
const messageBytes = 64
/** The number of lines that are sent before the rate limiter may pause. */
const maxBatchLines = 256

type CommandOutputDependencies = {
  readonly nowMs: () => number
  readonly limits?: CommandLimits
  readonly sleep?: (ms: number) => Promise<unknown>
}

/**
 * Creates the output of a command, which sends each line as a message. The program goes on when the lines have left the
 * server and its rate limit allows more output (security design 3.8).
 */
export function createCommandOutput(
  { nowMs, limits = commandLimits, sleep = pause }: CommandOutputDependencies,
  socket: Pick<Socket, 'deliver'>,
): CommandOutput {
  const lines = createLineSplitter(limits.lineBytes)
  const rateLimit = createTokenBucket({ bytesPerSecond: limits.outputBytesPerSecond, nowMs, sleep })

  async function send(ready: readonly string[]): Promise<void> {
    for (let start = 0; start < ready.length; start += maxBatchLines) {
      const batch = ready.slice(start, start + maxBatchLines)
      await Promise.all(batch.map((line) => socket.deliver(line)))
      await rateLimit.take(batch.length * messageBytes)
    }
  }

  return {
    async take(bytes) {
      await send(lines.push(bytes))
      await rateLimit.take(bytes.length)
    },
    end: () => send(lines.flush()),
  }
}
