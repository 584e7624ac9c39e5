import { read } from 'node:fs'
import type { Entry } from '../../../../shared/domain/entry.ts'
import { AppError } from '../../../../shared/domain/failure.ts'
import type { OpenFile } from '../../port.ts'
import { leaseDescriptors } from './lease-descriptors.ts'
import { combineLeases, createLease } from './lease.ts'
import type { DeadlineRunner } from './deadline-calls.ts'
import { asFailure } from '../calls/system-failures.ts'
import type { OpenedFile } from '../tasks/stat-and-open.ts'

/**
 * Size in bytes (512 KiB) of each of the two read buffers. They are used alternately: while one is filled from the
 * disk, the other is being sent. Of the measured sizes, 512 KiB was the fastest.
 */
const bufferBytes = 512 * 1024

/** Maximum size in bytes (64 KiB) of a range that is read into a single buffer of exactly the size of the range. */
const maxSingleBufferBytes = 64 * 1024

/** Buffers of completed reads, kept for reuse, because a new buffer causes one page fault for each 4 KiB. */
const spareBuffers: Buffer[] = []
const maxSpareBuffers = 16

type OpenFileSource = {
  readonly descriptor: number
  readonly entry: Entry
  readonly calls: DeadlineRunner
  readonly signal: AbortSignal | undefined
}

/** Returns an `OpenFile` of the storage port for an opened file. */
export const openFileFrom = (
  opened: OpenedFile,
  { calls, signal }: Pick<OpenFileSource, 'calls' | 'signal'>,
): OpenFile =>
  'bytes' in opened
    ? readFileOf(opened.entry, opened.bytes, signal)
    : openFileOf({ ...opened, calls, signal })

/** Returns an `OpenFile` of the storage port for a file whose bytes have already been read. It needs no descriptor. */
function readFileOf(entry: Entry, whole: Uint8Array, signal: AbortSignal | undefined): OpenFile {
  let isClosed = false
  return {
    entry,
    whole: whole.length === entry.sizeBytes ? whole : undefined,
    close: async () => void (isClosed = true),
    bytes: async function* ({ start, end }) {
      refuseRange(start, end, entry.sizeBytes)
      if (start === end) return
      if (isClosed || signal?.aborted === true) throw new AppError('aborted')
      const part = whole.subarray(start, end)
      if (part.length > 0) yield part
      if (part.length < end - start) throw new AppError('truncated')
    },
  }
}

/** Returns an `OpenFile` of the storage port that reads from an open descriptor. */
function openFileOf({ descriptor, entry, calls, signal }: OpenFileSource): OpenFile {
  let state: 'open' | 'closed' = 'open'
  let reading: Promise<unknown> = Promise.resolve()
  const lease = leaseDescriptors(calls, [descriptor])
  async function closeFile(): Promise<void> {
    if (state === 'closed') return
    state = 'closed'
    await reading.catch(() => {})
    await lease.release()
  }
  return {
    entry,
    localDisk: { descriptor },
    close: closeFile,
    bytes: async function* ({ start, end }) {
      refuseRange(start, end, entry.sizeBytes)
      const buffers = end - start <= maxSingleBufferBytes ? singleBuffer(start, end) : alternatingBuffers()
      // A read that has timed out may still write into its buffer, so the buffer is released only after that read.
      const bufferLease = createLease(async () => buffers.release())
      try {
        let offset = start
        let into: Buffer = noBytes
        const readNext = (): Promise<number> => {
          if (state === 'closed' || signal?.aborted === true) throw new AppError('aborted')
          const target = buffers.next(offset)
          const range = { offset, length: end - offset }
          const result = calls(async () => readSome(descriptor, target, range), {
            lease: combineLeases(lease, bufferLease),
          })
          into = target
          reading = result
          return result
        }
        let next = offset < end ? readNext() : null
        while (next !== null) {
          const length = await next
          if (length === 0) throw new AppError('truncated')
          const chunk = into.subarray(0, length)
          offset += length
          next = offset < end ? readNext() : null
          next?.catch(() => {})
          yield chunk
        }
      } finally {
        await reading.catch(() => {})
        await bufferLease.release()
      }
    },
  }
}

function refuseRange(start: number, end: number, sizeBytes: number): void {
  const isRange = Number.isSafeInteger(start) && start >= 0 && start <= end && end <= sizeBytes
  if (!isRange) throw new AppError('bad-range')
}

/**
 * The buffers of one range. `next` returns the buffer for the bytes at an offset; it differs from the buffer of the
 * previous read, whose bytes may not have been sent yet.
 */
type RangeBuffers = { readonly next: (offset: number) => Buffer; readonly release: () => void }

/**
 * Returns a single buffer of exactly the size of the range. Most small files are read in one call, and thousands of
 * such reads per second would otherwise allocate thousands of large buffers.
 */
function singleBuffer(start: number, end: number): RangeBuffers {
  const whole = Buffer.allocUnsafeSlow(end - start)
  return { next: (offset) => whole.subarray(offset - start), release: () => undefined }
}

function alternatingBuffers(): RangeBuffers {
  const buffers = [takeBuffer(), takeBuffer()] as const
  let reads = 0
  return {
    next() {
      reads += 1
      return reads % 2 === 0 ? buffers[0] : buffers[1]
    },
    release() {
      for (const buffer of buffers) if (spareBuffers.length < maxSpareBuffers) spareBuffers.push(buffer)
    },
  }
}

const noBytes = Buffer.alloc(0)
const takeBuffer = (): Buffer => spareBuffers.pop() ?? Buffer.allocUnsafeSlow(bufferBytes)

/**
 * Reads until the buffer is full or no more bytes are available. Returns the number of bytes that were read, which is 0
 * at the end of the file.
 */
async function readSome(
  descriptor: number,
  buffer: Buffer,
  { offset, length }: { readonly offset: number; readonly length: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    read(descriptor, buffer, 0, Math.min(length, buffer.length), offset, (error, bytesRead) => {
      if (error === null) resolve(bytesRead)
      else reject(asFailure(error))
    })
  })
}
