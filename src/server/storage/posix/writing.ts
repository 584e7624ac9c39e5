import { close, fsync, open, write as writeTo } from 'node:fs'
import { constants } from 'node:fs'
import { promisify } from 'node:util'
import { errnoOf, unflushable } from './calls/descriptors.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { asFailure } from './failures.ts'

const closeAsync = promisify(close)
const fsyncAsync = promisify(fsync)
const openAsync = promisify(open)

/** Small chunks are gathered until there is so much to write at once. */
const gatherBytes = 512 * 1024

type Receiving = {
  readonly descriptor: number
  readonly body: AsyncIterable<Uint8Array>
  readonly sizeBytes: number | undefined
  readonly signal: AbortSignal | undefined
}

/** Writes a body to a descriptor and flushes it. More or fewer bytes than announced are `truncated`. */
export async function receive({ descriptor, body, sizeBytes, signal }: Receiving): Promise<void> {
  const interruption = interruptible(signal)
  const source = body[Symbol.asyncIterator]()
  const file = gatheringWriter(descriptor)
  let received = 0
  try {
    for (;;) {
      const step = await interruption.orAborted(source.next())
      if (step.done === true) break
      received += step.value.length
      if (sizeBytes !== undefined && received > sizeBytes) throw new AppError('truncated')
      await file.add(step.value)
    }
    if (sizeBytes !== undefined && received !== sizeBytes) throw new AppError('truncated')
    await file.end()
    if (signal?.aborted === true) throw new AppError('aborted')
  } catch (error) {
    await file.settle()
    // Not waited for: a source that hangs would hold up the clean-up.
    void Promise.resolve(source.return?.()).catch(() => {})
    throw error
  } finally {
    interruption.stop()
  }
}

/**
 * Waits for one promise after the other, or for the signal. (A race with a promise that lasts would keep something of each chunk
 * until the upload ends.)
 */
function interruptible(signal: AbortSignal | undefined) {
  let interrupt: ((error: Error) => void) | null = null
  const abort = (): void => interrupt?.(new AppError('aborted'))
  signal?.addEventListener('abort', abort, { once: true })
  return {
    async orAborted<T>(work: Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        interrupt = reject
        if (signal?.aborted === true) abort()
        work.then(resolve, reject)
      })
    },
    stop: () => signal?.removeEventListener('abort', abort),
  }
}

/**
 * Gathers chunks in one buffer while another is being written. A chunk may be used again by its source as soon as `add` has
 * resolved.
 */
function gatheringWriter(descriptor: number) {
  let buffer = Buffer.allocUnsafeSlow(gatherBytes)
  let other = Buffer.allocUnsafeSlow(gatherBytes)
  let filled = 0
  let writing: Promise<void> = Promise.resolve()

  async function swap(): Promise<void> {
    await writing
    const full = buffer.subarray(0, filled)
    ;[buffer, other] = [other, buffer]
    filled = 0
    writing = writeWhole(descriptor, full)
    writing.catch(() => {})
  }

  return {
    async add(chunk: Uint8Array): Promise<void> {
      for (let at = 0; at < chunk.length;) {
        const part = chunk.subarray(at, at + gatherBytes - filled)
        buffer.set(part, filled)
        filled += part.length
        at += part.length
        if (filled === gatherBytes) await swap()
      }
    },
    async end(): Promise<void> {
      if (filled > 0) await swap()
      await writing
      await fsyncAsync(descriptor).catch(rethrow)
    },
    /** Waits until nothing is written any more, so that the descriptor may be closed. */
    async settle(): Promise<void> {
      await writing.catch(() => {})
    },
  }
}

async function writeWhole(descriptor: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await writeSome(descriptor, bytes.subarray(at))
}

async function writeSome(descriptor: number, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    writeTo(descriptor, bytes, 0, bytes.length, null, (error, written) => {
      if (error === null) resolve(written)
      else reject(asFailure(error))
    })
  })
}

function rethrow(error: unknown): never {
  throw asFailure(error)
}

/** Flushes a folder that is held by a mere handle, off the main thread. Network mounts that cannot are left alone. */
export async function flushFolderOf(handle: number): Promise<void> {
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

export const closeAll = async (descriptors: readonly number[]): Promise<void> => {
  await Promise.all(descriptors.map(async (descriptor) => closeAsync(descriptor)))
}
