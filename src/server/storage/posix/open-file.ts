import { read } from 'node:fs'
import type { Entry } from '../../../shared/domain/entry.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import type { OpenFile } from '../port.ts'
import { both, leaseOf } from './bytes/lease.ts'
import type { PatientCalls } from './bytes/patient-calls.ts'
import { asFailure } from './failures.ts'
import { holdOpen } from './writing.ts'

/** Two buffers of this size are used in turn: one is read into while the other is on its way out (measured fastest). */
const bufferBytes = 512 * 1024

/** Buffers of closed files, for the next ones: making one costs a page fault for each 4 KiB. */
const spare: Buffer[] = []
const mostSpare = 16

type Source = {
  readonly descriptor: number
  readonly entry: Entry
  readonly calls: PatientCalls
  readonly signal: AbortSignal | undefined
}

/** An open descriptor as a file of the port. */
export function openFileOf({ descriptor, entry, calls, signal }: Source): OpenFile {
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
      const buffers = [takeBuffer(), takeBuffer()]
      // A read that was given up may still write into its buffer.
      const use = leaseOf(async () => giveBack(buffers))
      try {
        let at = start
        let turn = 0
        const ask = (): Promise<number> => {
          if (state === 'closed' || signal?.aborted === true) throw new AppError('aborted')
          const into = buffers[turn % 2] as Buffer
          const wish = { at, length: end - at }
          const asked = calls(async () => readSome(descriptor, into, wish), { lease: both(lease, use) })
          reading = asked
          return asked
        }
        let next = at < end ? ask() : null
        while (next !== null) {
          const length = await next
          if (length === 0) throw new AppError('truncated')
          const chunk = (buffers[turn % 2] as Buffer).subarray(0, length)
          at += length
          turn += 1
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

const takeBuffer = (): Buffer => spare.pop() ?? Buffer.allocUnsafeSlow(bufferBytes)

function giveBack(buffers: readonly Buffer[]): void {
  for (const buffer of buffers) if (spare.length < mostSpare) spare.push(buffer)
}

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
