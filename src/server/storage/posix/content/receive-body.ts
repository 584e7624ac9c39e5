import { ftruncate } from 'node:fs'
import { promisify } from 'node:util'
import { AppError, codeOf, type ErrorCode } from '../../../../shared/domain/failure.ts'
import type { UploadPart } from '../../port.ts'
import { createBufferedWriter, type BufferedWriter, type WritableFile } from './buffered-writer.ts'
import { flushFile } from './flushing.ts'

const truncateAsync = promisify(ftruncate)

type ReceiveRequest = {
  readonly to: WritableFile
  readonly body: AsyncIterable<Uint8Array>
  readonly sizeBytes: number | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * Writes a body to a descriptor and flushes it. A body with more or fewer bytes than announced fails with `truncated`.
 */
export async function receiveBody({ to, body, sizeBytes, signal }: ReceiveRequest): Promise<void> {
  const file = createBufferedWriter(to, sizeBytes)
  try {
    const received = await transferBody(file, {
      body,
      signal,
      mostBytes: sizeBytes,
      tooManyCode: 'truncated',
    })
    if (sizeBytes !== undefined && received !== sizeBytes) throw new AppError('truncated')
    await file.drain()
    await flushFile(to)
    if (signal?.aborted === true) throw new AppError('aborted')
  } catch (error) {
    await file.settle()
    throw error
  }
}

type PartAppend = {
  /** A file that is open for appending. */
  readonly to: WritableFile
  readonly part: UploadPart
  readonly signal: AbortSignal | undefined
}

/**
 * Appends a part of an upload and returns the length of the file afterwards. When a part is cut short, the bytes that
 * arrived are kept. When a part is too long, all of its bytes are removed again.
 */
export async function appendPart({ to, part, signal }: PartAppend): Promise<number> {
  const { body, mostBytes, offsetBytes } = part
  const file = createBufferedWriter(to)
  try {
    const received = await transferBody(file, { body, signal, mostBytes, tooManyCode: 'too-large' })
    await file.drain()
    return offsetBytes + received
  } catch (error) {
    await file.drain().catch(() => {})
    if (codeOf(error) === 'too-large')
      await to.calls(async () => truncateAsync(to.descriptor, offsetBytes), to)
    throw error
  }
}

type BodyTransfer = {
  readonly body: AsyncIterable<Uint8Array>
  readonly signal: AbortSignal | undefined
  readonly mostBytes: number | undefined
  readonly tooManyCode: ErrorCode
}

/** Writes a body chunk by chunk and returns the number of its bytes. */
async function transferBody(
  file: BufferedWriter,
  { body, signal, mostBytes = Number.POSITIVE_INFINITY, tooManyCode }: BodyTransfer,
): Promise<number> {
  const interruption = createInterruption(signal)
  const source = body[Symbol.asyncIterator]()
  let received = 0
  try {
    for (;;) {
      const step = await interruption.orAborted(source.next())
      if (step.done === true) return received
      received += step.value.length
      if (received > mostBytes) throw new AppError(tooManyCode)
      await file.add(step.value)
    }
  } catch (error) {
    // The code does not wait for the source to end, because a source that hangs would delay the cleanup.
    void Promise.resolve(source.return?.()).catch(() => {})
    throw error
  } finally {
    interruption.stop()
  }
}

/**
 * Creates a function that waits for a promise or until the signal aborts, and that can be called repeatedly. (A race
 * with one long-lived promise would retain some memory for each chunk until the upload ends.)
 */
function createInterruption(signal: AbortSignal | undefined) {
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
