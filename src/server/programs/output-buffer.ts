import { setTimeout as pause } from 'node:timers/promises'

/**
 * The pause in milliseconds after a chunk was dropped. With this pause, the endless output of a program is still read
 * at a few megabytes per second.
 */
const pauseMs = 20

/**
 * Waits for `pauseMs` after a chunk was dropped. Without these pauses, a program that prints without end would keep the
 * event loop busy.
 */
export const pauseAfterDropped = (): Promise<void> => pause(pauseMs)

/** A buffer that keeps the first bytes of an output and drops the rest. */
export type OutputBuffer = {
  /** Adds a chunk. Returns false as soon as any bytes have been dropped. */
  append(bytes: Uint8Array): boolean
  /** Returns the kept bytes decoded as UTF-8. Invalid bytes become U+FFFD. */
  text(): string
}

export function createOutputBuffer(maxBytes: number): OutputBuffer {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  let isComplete = true
  return {
    append(bytes) {
      const kept = bytes.subarray(0, maxBytes - sizeBytes)
      isComplete &&= kept.length === bytes.length
      sizeBytes += kept.length
      if (kept.length > 0) chunks.push(kept)
      return isComplete
    },
    text: () => Buffer.concat(chunks).toString('utf8'),
  }
}
