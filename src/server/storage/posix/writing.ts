import { close, constants, fsync, ftruncate, open } from 'node:fs'
import { promisify } from 'node:util'
import { errnoOf, unflushable } from './calls/descriptors.ts'
import { AppError, codeOf, type ErrorCode } from '../../../shared/domain/failure.ts'
import type { UploadPart } from '../port.ts'
import { withFailures } from './failures.ts'
import { gatheringWriter, type GatheringWriter, type Writable } from './bytes/gathering-writer.ts'
import { interruptible } from './bytes/interruptible.ts'
import { leaseOf, type Lease } from './bytes/lease.ts'
import { orLate, type PatientCalls } from './bytes/patient-calls.ts'

const closeAsync = promisify(close)
const fsyncAsync = promisify(fsync)
const openAsync = promisify(open)
const truncateAsync = promisify(ftruncate)

type Receiving = {
  readonly to: Writable
  readonly body: AsyncIterable<Uint8Array>
  readonly sizeBytes: number | undefined
  readonly signal: AbortSignal | undefined
}

/** Writes a body to a descriptor and flushes it. More or fewer bytes than announced are `truncated`. */
export async function receive({ to, body, sizeBytes, signal }: Receiving): Promise<void> {
  const file = gatheringWriter(to, sizeBytes)
  try {
    const received = await pour(file, { body, signal, mostBytes: sizeBytes, tooMany: 'truncated' })
    if (sizeBytes !== undefined && received !== sizeBytes) throw new AppError('truncated')
    await file.drain()
    await flushFile(to)
    if (signal?.aborted === true) throw new AppError('aborted')
  } catch (error) {
    await file.settle()
    throw error
  }
}

type ReceivingPart = {
  /** Appends. */
  readonly to: Writable
  readonly part: UploadPart
  readonly signal: AbortSignal | undefined
}

/** Appends a part; gives how long the file is then. What came of one that is cut short stays, one that is too long is taken back. */
export async function receivePart({ to, part, signal }: ReceivingPart): Promise<number> {
  const { body, mostBytes, offsetBytes } = part
  const file = gatheringWriter(to)
  try {
    const received = await pour(file, { body, signal, mostBytes, tooMany: 'too-large' })
    await file.drain()
    return offsetBytes + received
  } catch (error) {
    await file.drain().catch(() => {})
    if (codeOf(error) === 'too-large')
      await to.calls(async () => truncateAsync(to.descriptor, offsetBytes), to)
    throw error
  }
}

type Pouring = {
  readonly body: AsyncIterable<Uint8Array>
  readonly signal: AbortSignal | undefined
  readonly mostBytes: number | undefined
  readonly tooMany: ErrorCode
}

/** Takes a body chunk by chunk; gives how many bytes it had. */
async function pour(
  file: GatheringWriter,
  { body, signal, mostBytes = Number.POSITIVE_INFINITY, tooMany }: Pouring,
): Promise<number> {
  const interruption = interruptible(signal)
  const source = body[Symbol.asyncIterator]()
  let received = 0
  try {
    for (;;) {
      const step = await interruption.orAborted(source.next())
      if (step.done === true) return received
      received += step.value.length
      if (received > mostBytes) throw new AppError(tooMany)
      await file.add(step.value)
    }
  } catch (error) {
    // Not waited for: a source that hangs would hold up the clean-up.
    void Promise.resolve(source.return?.()).catch(() => {})
    throw error
  } finally {
    interruption.stop()
  }
}

export async function flushFile({ descriptor, calls, lease }: Writable): Promise<void> {
  await withFailures(async () => calls(async () => fsyncAsync(descriptor), { lease, isFlushing: true }))
}

/** Flushes folders, each for many at once. */
export type FolderFlushes<T = Writable> = (key: string, folder: T) => Promise<void>

type Flushing = { readonly now: Promise<void>; next: Promise<void> | null }

/**
 * A flush that has begun may have missed what was put into the folder since; all who wait for the one after it share that. The
 * handle is held by the first of them, who waits as long as the others.
 */
export function createFolderFlushes<T>(flush: (folder: T) => Promise<void>): FolderFlushes<T> {
  const byFolder = new Map<string, Flushing>()

  async function begin(key: string, folder: T): Promise<void> {
    const flushing: Flushing = { now: flush(folder), next: null }
    byFolder.set(key, flushing)
    try {
      await flushing.now
    } finally {
      if (flushing.next === null) byFolder.delete(key)
    }
  }

  return async (key, folder) => {
    const flushing = byFolder.get(key)
    if (flushing === undefined) return begin(key, folder)
    const after = (): Promise<void> => begin(key, folder)
    return (flushing.next ??= flushing.now.then(after, after))
  }
}

/** Flushes a folder that is held by a mere handle, off the main thread. Network mounts that cannot are left alone. */
export async function flushFolderOf({ descriptor, calls, lease }: Writable): Promise<void> {
  await calls(async () => flushFolder(descriptor), { lease, isFlushing: true })
}

async function flushFolder(handle: number): Promise<void> {
  try {
    const descriptor = await openAsync(`/proc/self/fd/${handle}`, constants.O_RDONLY | constants.O_DIRECTORY)
    try {
      await fsyncAsync(descriptor)
    } finally {
      await closeAsync(descriptor)
    }
  } catch (error) {
    if (!unflushable.includes(errnoOf(error))) throw error
  }
}

/** Descriptors that are closed when nothing works on them any more. Closing hangs like everything else on some disks. */
export const holdOpen = (calls: PatientCalls, descriptors: readonly number[]): Lease =>
  leaseOf(async () =>
    Promise.all(descriptors.map(async (descriptor) => orLate(calls(async () => closeAsync(descriptor))))),
  )
