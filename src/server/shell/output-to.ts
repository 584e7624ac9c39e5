import { setTimeout as pause } from 'node:timers/promises'
import type { Socket } from '../http/socket-route.ts'
import { commandLimits, type CommandLimits } from './command-limits.ts'
import { createOutputLines } from './output-lines.ts'
import { createPace } from './pace.ts'

/** Takes the output of a program; a promise holds the program back. */
export type OutputTaker = {
  readonly take: (bytes: Uint8Array) => Promise<void>
  /** The last line may have no end. */
  end(): Promise<void>
}

/** A message costs more than its text: else lines of nothing would be sent by the million. */
const messageBytes = 64
const mostAtOnce = 256

type OutputNeeds = {
  readonly nowMs: () => number
  readonly limits?: CommandLimits
  readonly sleep?: (ms: number) => Promise<unknown>
}

/** Each line is a message. The program goes on when what was sent has left, and its pace allows for more (security design 3.8). */
export function outputTo(
  { nowMs, limits = commandLimits, sleep = pause }: OutputNeeds,
  socket: Pick<Socket, 'deliver'>,
): OutputTaker {
  const lines = createOutputLines(limits.lineBytes)
  const pace = createPace({ bytesPerSecond: limits.outputBytesPerSecond, nowMs, sleep })

  async function send(ready: readonly string[]): Promise<void> {
    for (let at = 0; at < ready.length; at += mostAtOnce) {
      const batch = ready.slice(at, at + mostAtOnce)
      await Promise.all(batch.map((line) => socket.deliver(line)))
      await pace.take(batch.length * messageBytes)
    }
  }

  return {
    async take(bytes) {
      await send(lines.take(bytes))
      await pace.take(bytes.length)
    },
    end: () => send(lines.end()),
  }
}
