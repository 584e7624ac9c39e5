import { setTimeout as pause } from 'node:timers/promises'

/** A program that prints without end still has its output taken: some megabytes a second. */
const restMs = 20

/** To be waited for when a piece of output was dropped: a program that prints without end keeps nobody busy with reading it. */
export const restBehindDropped = (): Promise<void> => pause(restMs)

/** The first bytes of an output; what comes behind them is dropped. */
export type KeptOutput = {
  /** False once there was more than is kept. */
  take(bytes: Uint8Array): boolean
  /** As UTF-8; what is none is replaced. */
  text(): string
}

export function createKeptOutput(mostBytes: number): KeptOutput {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  let isWhole = true
  return {
    take(bytes) {
      const kept = bytes.subarray(0, mostBytes - sizeBytes)
      isWhole &&= kept.length === bytes.length
      sizeBytes += kept.length
      if (kept.length > 0) chunks.push(kept)
      return isWhole
    },
    text: () => Buffer.concat(chunks).toString('utf8'),
  }
}
