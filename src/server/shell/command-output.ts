import { setTimeout as pause } from 'node:timers/promises'
import type { ClientSocket } from '../http/socket-route.ts'
import { commandLimits, type CommandLimits } from './command-limits.ts'
import { createLineSplitter } from './line-splitter.ts'
import { createTokenBucket } from './token-bucket.ts'

/**
 * Sends the output of a program to a socket. Each call of `write` returns a promise, and the program is blocked until
 * the promise resolves.
 */
export type CommandOutput = {
  readonly write: (bytes: Uint8Array) => Promise<void>
  /** Sends the last line if it has no line break. */
  end(): Promise<void>
}

/**
 * The number of bytes that count towards the rate limit for each message, in addition to its text. If only the text
 * counted, the rate limit would allow millions of empty lines.
 */
const messageBytes = 64
/**
 * The maximum number of lines that are sent between two calls of the rate limiter. With `messageBytes`, 256 empty lines
 * count as 16 KiB, which the rate limit of 1 MiB/s allows in 16 ms.
 */
const maxBatchLines = 256

type CommandOutputDependencies = {
  readonly nowMs: () => number
  readonly limits?: CommandLimits
  readonly sleep?: (ms: number) => Promise<unknown>
}

/**
 * Creates the output of a command, which sends each line as a message. The program can continue when the lines have
 * been sent and the rate limit allows more output (security 3.8).
 */
export function createCommandOutput(
  { nowMs, limits = commandLimits, sleep = pause }: CommandOutputDependencies,
  socket: Pick<ClientSocket, 'deliver'>,
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
    async write(bytes) {
      await send(lines.push(bytes))
      await rateLimit.take(bytes.length)
    },
    end: () => send(lines.flush()),
  }
}
