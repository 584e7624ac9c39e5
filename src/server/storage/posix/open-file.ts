import { read } from 'node:fs'
import type { Entry } from '../../../shared/domain/entry.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import type { OpenFile } from '../port.ts'
import { both, leaseOf } from './bytes/lease.ts'
import type { PatientCalls } from './bytes/patient-calls.ts'
import { asFailure } from './failures.ts'
import { holdOpen } from './writing.ts'
import type { Opened } from './tasks/look.ts'

/** Two buffers of this size are used in turn: one is read into while the other is on its way out (measured fastest). */
const bufferBytes = 512 * 1024

const smallBytes = 64 * 1024

/** Buffers of closed files, for the next ones: making one costs a page fault for each 4 KiB. */
const spare: Buffer[] = []
const mostSpare = 16

type Source = {
  readonly descriptor: number
  readonly entry: Entry
  readonly calls: PatientCalls
  readonly signal: AbortSignal | undefined
}

/** What was opened as a file of the port. */
export const fileOf = (opened: Opened, { calls, signal }: Pick<Source, 'calls' | 'signal'>): OpenFile =>
  'bytes' in opened
    ? readFileOf(opened.entry, opened.bytes, signal)
    : openFileOf({ ...opened, calls, signal })

/** A file that was read already: nothing is open. */
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

/** An open descriptor as a file of the port. */
function openFileOf({ descriptor, entry, calls, signal }: Source): OpenFile {
  let state: 'open' | 'closed' = 'open'
  let reading: Promise<unknown> = Promise.resolve()
  const lease = holdOpen(calls, [descriptor])
  async function closeFile(): Promise<void> {
    if (state === 'closed') return
    state = 'closed'
    await reading.catch(() => {})
    await lease.release()
  }
  return {
    entry,
    close: closeFile,
    bytes: async function* ({ start, end }) {
      refuseRange(start, end, entry.sizeBytes)
      const room = end - start <= smallBytes ? smallRoom(start, end) : largeRoom()
      // A read that was given up may still write into its room.
      const use = leaseOf(async () => room.giveBack())
      try {
        let at = start
        let into: Buffer = noBytes
        const ask = (): Promise<number> => {
          if (state === 'closed' || signal?.aborted === true) throw new AppError('aborted')
          const target = room.next(at)
          const wish = { at, length: end - at }
          const asked = calls(async () => readSome(descriptor, target, wish), { lease: both(lease, use) })
          into = target
          reading = asked
          return asked
        }
        let next = at < end ? ask() : null
        while (next !== null) {
          const length = await next
          if (length === 0) throw new AppError('truncated')
          const chunk = into.subarray(0, length)
          at += length
          next = at < end ? ask() : null
          next?.catch(() => {})
          yield chunk
        }
      } finally {
        await reading.catch(() => {})
        await use.release()
      }
    },
  }
}

function refuseRange(start: number, end: number, sizeBytes: number): void {
  const isRange = Number.isSafeInteger(start) && start >= 0 && start <= end && end <= sizeBytes
  if (!isRange) throw new AppError('bad-range')
}

/** Where the bytes at a place go: not where those of the read before it are, which may be on their way out. */
type Room = { readonly next: (at: number) => Buffer; readonly giveBack: () => void }

/** One read gives all of a small file, as a rule; thousands of them a second must not need as many large buffers. */
function smallRoom(start: number, end: number): Room {
  const whole = Buffer.allocUnsafeSlow(end - start)
  return { next: (at) => whole.subarray(at - start), giveBack: () => undefined }
}

function largeRoom(): Room {
  const buffers = [takeBuffer(), takeBuffer()] as const
  let turn = 0
  return {
    next() {
      turn += 1
      return turn % 2 === 0 ? buffers[0] : buffers[1]
    },
    giveBack() {
      for (const buffer of buffers) if (spare.length < mostSpare) spare.push(buffer)
    },
  }
}

const noBytes = Buffer.alloc(0)
const takeBuffer = (): Buffer => spare.pop() ?? Buffer.allocUnsafeSlow(bufferBytes)

/** Up to a buffer full of bytes. */
async function readSome(
  descriptor: number,
  buffer: Buffer,
  { at, length }: { readonly at: number; readonly length: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    read(descriptor, buffer, 0, Math.min(length, buffer.length), at, (error, bytesRead) => {
      if (error === null) resolve(bytesRead)
      else reject(asFailure(error))
    })
  })
}
