import { write as writeTo } from 'node:fs'
import { asFailure } from '../failures.ts'
import type { Lease } from './lease.ts'
import type { PatientCalls } from './patient-calls.ts'

/** Small chunks are gathered until there is so much to write at once. */
const gatherBytes = 512 * 1024

export type GatheringWriter = ReturnType<typeof gatheringWriter>

/** A file that is written to, and how calls on it are made. */
export type Writable = { readonly descriptor: number; readonly calls: PatientCalls; readonly lease: Lease }

/**
 * Gathers chunks in one buffer while another is being written. A chunk may be used again by its source as soon as `add` has
 * resolved. What is announced to be small takes no more room than it needs: a thousand large buffers a second would keep the
 * collector busy.
 */
export function gatheringWriter(to: Writable, announcedBytes = gatherBytes) {
  const roomBytes = Math.max(1, Math.min(announcedBytes, gatherBytes))
  let buffer: Buffer | null = null
  let other: Buffer | null = null
  let filled = 0
  let writing: Promise<void> = Promise.resolve()

  async function swap(gathered: Buffer): Promise<void> {
    await writing
    const full = gathered.subarray(0, filled)
    ;[buffer, other] = [other, gathered]
    filled = 0
    writing = writeWhole(to, full)
    writing.catch(() => {})
  }

  return {
    async add(chunk: Uint8Array): Promise<void> {
      for (let at = 0; at < chunk.length;) {
        buffer ??= Buffer.allocUnsafeSlow(roomBytes)
        const part = chunk.subarray(at, at + roomBytes - filled)
        buffer.set(part, filled)
        filled += part.length
        at += part.length
        if (filled === roomBytes) await swap(buffer)
      }
    },
    /** Writes what was gathered. */
    async drain(): Promise<void> {
      if (buffer !== null && filled > 0) await swap(buffer)
      await writing
    },
    /** Waits until nothing is written any more, so that the descriptor may be closed. */
    async settle(): Promise<void> {
      await writing.catch(() => {})
    },
  }
}

async function writeWhole({ descriptor, calls, lease }: Writable, bytes: Uint8Array): Promise<void> {
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
