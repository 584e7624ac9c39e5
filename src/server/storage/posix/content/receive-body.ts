import { ftruncate } from 'node:fs'
import { promisify } from 'node:util'
import { AppError, codeOf, type ErrorCode } from '../../../../shared/domain/failure.ts'
import type { UploadPart } from '../../change.ts'
import { createBufferedWriter, type BufferedWriter, type WritableFile } from './buffered-writer.ts'
import { flushFile } from './flushing.ts'

const truncateAsync = promisify(ftruncate)

type ReceiveBodyRequest = {
  readonly to: WritableFile
  readonly body: AsyncIterable<Uint8Array>
  readonly sizeBytes: number | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * Writes a body to a descriptor, flushes the file, and returns the number of its bytes. Throws `truncated` when the body
 * has more or fewer bytes than announced.
 */
export async function receiveBody({ to, body, sizeBytes, signal }: ReceiveBodyRequest): Promise<number> {
  const file = createBufferedWriter(to, { startBytes: 0, announcedBytes: sizeBytes })
  try {
    const received = await transferBody(file, {
      body,
      signal,
      maxBytes: sizeBytes,
      tooLongCode: 'truncated',
    })
    if (sizeBytes !== undefined && received !== sizeBytes) throw new AppError('truncated')
    await file.drain()
    await flushFile(to)
    if (signal?.aborted === true) throw new AppError('aborted')
    return received
  } catch (error) {
    await file.settle()
    throw error
  }
}

type PartAppendRequest = {
  readonly to: WritableFile
  readonly part: UploadPart
  readonly signal: AbortSignal | undefined
}

/**
 * Appends a part of an upload and returns the length of the file afterwards. When a part is cut short, the bytes that
 * arrived are kept. When a part is too long, all of its bytes are removed again.
 */
export async function appendPart({ to, part, signal }: PartAppendRequest): Promise<number> {
  const { body, maxBytes, offsetBytes } = part
  const file = createBufferedWriter(to, { startBytes: offsetBytes })
  try {
    const received = await transferBody(file, { body, signal, maxBytes, tooLongCode: 'too-large' })
    await file.drain()
    return offsetBytes + received
  } catch (error) {
    await file.drain().catch(() => {})
    if (codeOf(error) === 'too-large')
      await to.calls(async () => truncateAsync(to.descriptor, offsetBytes), to)
    throw error
  }
}

type BodyTransferOptions = {
  readonly body: AsyncIterable<Uint8Array>
  readonly signal: AbortSignal | undefined
  readonly maxBytes: number | undefined
  readonly tooLongCode: ErrorCode
}

/** Writes a body chunk by chunk and returns the number of its bytes. */
async function transferBody(
  file: BufferedWriter,
  { body, signal, maxBytes = Number.POSITIVE_INFINITY, tooLongCode }: BodyTransferOptions,
): Promise<number> {
  const interruption = createAbortableWait(signal)
  const source = body[Symbol.asyncIterator]()
  let received = 0
  try {
    for (;;) {
      const next = await interruption.orAborted(source.next())
      if (next.done === true) return received
      received += next.value.length
      if (received > maxBytes) throw new AppError(tooLongCode)
      await file.add(next.value)
    }
  } catch (error) {
    // The result of `return` is not awaited, because a source that hangs would delay the cleanup.
    void Promise.resolve(source.return?.()).catch(() => {})
    throw error
  } finally {
    interruption.stop()
  }
}

/**
 * Creates a function that waits until a promise settles or the signal aborts. When the signal aborts during the wait, the
 * source has one turn of the event loop to pass on the bytes that have arrived. The function can be called repeatedly.
 * (`Promise.race` with a single long-lived promise would retain memory for each chunk until the upload ends.)
 */
function createAbortableWait(signal: AbortSignal | undefined) {
  let interrupt: ((error: Error) => void) | null = null
  const abort = (): void => interrupt?.(new AppError('aborted'))
  const abortSoon = (): void => void setImmediate(abort)
  signal?.addEventListener('abort', abortSoon, { once: true })
  return {
    async orAborted<T>(work: Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        interrupt = reject
        if (signal?.aborted === true) abort()
        work.then(resolve, reject)
      })
    },
    stop: () => signal?.removeEventListener('abort', abortSoon),
  }
}
