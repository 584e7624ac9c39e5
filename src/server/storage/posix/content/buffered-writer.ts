import { write as writeTo } from 'node:fs'
import { asFailure } from '../calls/system-failures.ts'
import type { Lease } from './lease.ts'
import type { DeadlineRunner } from './deadline-calls.ts'

/** Number of bytes that are collected in a buffer before they are written in one call. */
const gatherBytes = 512 * 1024

export type BufferedWriter = ReturnType<typeof createBufferedWriter>

/** A file that is open for writing, with the function and the lease that calls on it need. */
export type WritableFile = {
  readonly descriptor: number
  readonly calls: DeadlineRunner
  readonly lease: Lease
}

/**
 * Collects chunks in one buffer while another buffer is being written. The source may reuse a chunk as soon as `add`
 * has resolved. For a file with a small announced size, the buffer is only as large as the file: allocating a thousand
 * large buffers per second would keep the garbage collector busy.
 */
export function createBufferedWriter(file: WritableFile, announcedBytes = gatherBytes) {
  const bufferBytes = Math.max(1, Math.min(announcedBytes, gatherBytes))
  let buffer: Buffer | null = null
  let spareBuffer: Buffer | null = null
  let filled = 0
  let writing: Promise<void> = Promise.resolve()

  async function swap(gathered: Buffer): Promise<void> {
    await writing
    const full = gathered.subarray(0, filled)
    ;[buffer, spareBuffer] = [spareBuffer, gathered]
    filled = 0
    writing = writeWhole(file, full)
    writing.catch(() => {})
  }

  return {
    async add(chunk: Uint8Array): Promise<void> {
      for (let at = 0; at < chunk.length;) {
        buffer ??= Buffer.allocUnsafeSlow(bufferBytes)
        const part = chunk.subarray(at, at + bufferBytes - filled)
        buffer.set(part, filled)
        filled += part.length
        at += part.length
        if (filled === bufferBytes) await swap(buffer)
      }
    },
    /** Writes the collected bytes and waits until all bytes are written. */
    async drain(): Promise<void> {
      if (buffer !== null && filled > 0) await swap(buffer)
      await writing
    },
    /** Waits until no write is in flight, so that the descriptor may be closed. */
    async settle(): Promise<void> {
      await writing.catch(() => {})
    },
  }
}

async function writeWhole({ descriptor, calls, lease }: WritableFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const rest = bytes.subarray(at)
    at += await calls(async () => writeSome(descriptor, rest), { lease })
  }
}

async function writeSome(descriptor: number, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    writeTo(descriptor, bytes, 0, bytes.length, null, (error, written) => {
      if (error === null) resolve(written)
      else reject(asFailure(error))
    })
  })
}
