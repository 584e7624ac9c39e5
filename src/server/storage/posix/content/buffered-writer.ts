import { write as writeTo } from 'node:fs'
import { asFailure } from '../calls/system-failures.ts'
import type { ResourceLease } from './lease.ts'
import type { DeadlineRunner } from './deadline-calls.ts'

/** Number of bytes (512 KiB) that are collected in a buffer before they are written in one call. */
const defaultBufferBytes = 512 * 1024

export type BufferedWriter = ReturnType<typeof createBufferedWriter>

/**
 * A file that is open for writing. `calls` runs the system calls on the file, and `lease` keeps its descriptor open.
 */
export type WritableFile = {
  readonly descriptor: number
  readonly calls: DeadlineRunner
  readonly lease: ResourceLease
}

/** The position in bytes at which a writer begins, and the number of bytes that it is expected to write. */
export type WrittenRange = { readonly startBytes: number; readonly announcedBytes?: number | undefined }

/**
 * Creates a writer that collects chunks in one buffer while another buffer is being written. A chunk that would fill a
 * buffer is written without being copied. The source may reuse a chunk as soon as `add` has resolved. When the announced size is small, the buffer is only as large as this size,
 * because allocating a thousand large buffers per second would keep the garbage collector busy.
 *
 * Each write names its position. A write that a stalled disk completes late, after the client has sent the same bytes once
 * more, then puts them into the same place.
 */
export function createBufferedWriter(
  file: WritableFile,
  { startBytes, announcedBytes = defaultBufferBytes }: WrittenRange,
) {
  const bufferBytes = Math.max(1, Math.min(announcedBytes, defaultBufferBytes))
  let buffer: Buffer | null = null
  let spareBuffer: Buffer | null = null
  let filled = 0
  let position = startBytes
  let writing: Promise<void> = Promise.resolve()

  /** Begins to write at the end of what was written before. */
  function beginWriting(bytes: Uint8Array): void {
    writing = writeWhole(file, bytes, position)
    position += bytes.length
  }

  async function swapBuffers(gathered: Buffer): Promise<void> {
    await writing
    const full = gathered.subarray(0, filled)
    ;[buffer, spareBuffer] = [spareBuffer, gathered]
    filled = 0
    beginWriting(full)
    writing.catch(() => {})
  }

  /** Writes a chunk from its own memory. The source may reuse it only when it is written. */
  async function writeWithoutCopy(chunk: Uint8Array): Promise<void> {
    if (buffer !== null && filled > 0) await swapBuffers(buffer)
    await writing
    beginWriting(chunk)
    await writing
  }

  return {
    async add(chunk: Uint8Array): Promise<void> {
      if (chunk.length >= bufferBytes) return writeWithoutCopy(chunk)
      for (let offset = 0; offset < chunk.length;) {
        buffer ??= Buffer.allocUnsafeSlow(bufferBytes)
        const part = chunk.subarray(offset, offset + bufferBytes - filled)
        buffer.set(part, filled)
        filled += part.length
        offset += part.length
        if (filled === bufferBytes) await swapBuffers(buffer)
      }
    },
    /** Writes the collected bytes and waits until all bytes are written. */
    async drain(): Promise<void> {
      if (buffer !== null && filled > 0) await swapBuffers(buffer)
      await writing
    },
    /** Waits until no write is running, so that the descriptor may be closed. */
    async settle(): Promise<void> {
      await writing.catch(() => {})
    },
  }
}

async function writeWhole(
  { descriptor, calls, lease }: WritableFile,
  bytes: Uint8Array,
  position: number,
): Promise<void> {
  for (let offset = 0; offset < bytes.length;) {
    const rest = bytes.subarray(offset)
    const at = position + offset
    offset += await calls(async () => writeSome(descriptor, rest, at), { lease })
  }
}

async function writeSome(descriptor: number, bytes: Uint8Array, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    writeTo(descriptor, bytes, 0, bytes.length, position, (error, written) => {
      if (error === null) resolve(written)
      else reject(asFailure(error))
    })
  })
}
