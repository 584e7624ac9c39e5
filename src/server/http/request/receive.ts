import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '../../../shared/domain/failure.ts'
import type { IncomingBody } from '../../storage/change.ts'
import type { ChunkListener, HttpLimits } from '../http-options.ts'

/** A request whose body is to be received, and the limits of receiving it. */
export type ReceiveOptions = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly signal: AbortSignal
  readonly limits: Pick<HttpLimits, 'receiveIdleMs' | 'receiveBytesPerSecond' | 'receiveWindowMs'>
  readonly nowMs: () => number
  /** Called before the first byte of the body is read. An upload becomes a transfer then, which ends with its session. */
  readonly onStart?: () => void
  readonly onChunk?: ChunkListener | undefined
  /** True when the memory of a chunk is given back as soon as the next chunk is requested. */
  readonly releasesChunks?: boolean
}

/**
 * Streams a request's body as it arrives. Nothing is read, and `100 Continue` is not sent, before the first chunk is
 * requested. Throws `aborted` when the client disconnects or the signal aborts, and `truncated` when the client sends
 * nothing for too long or is slower than the limits allow. Only the time in which a chunk is requested counts towards
 * these limits.
 */
export async function* receiveBytes(options: ReceiveOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const { request, response, signal } = options
  if (request.destroyed && !request.readableEnded) throw new AppError('aborted')
  options.onStart?.()
  if (expectsContinue(request)) response.writeContinue()
  const reader = openBodyReader(request, signal)
  const rate = createRateCheck(options)
  try {
    for (;;) {
      const chunk = reader.read()
      if (chunk === 'end') return
      if (chunk === 'wait') {
        await rate.measure(reader)
        continue
      }
      rate.count(chunk.length)
      options.onChunk?.(chunk.length, 'received')
      yield chunk
      if (options.releasesChunks === true) releaseMemory(chunk)
    }
  } finally {
    reader.close()
  }
}

/**
 * The size from which the memory of a chunk is given back: 16 KiB. For smaller chunks, the garbage collector is as fast.
 */
const minReleasedBytes = 16 * 1024

/**
 * Gives back the memory of a chunk, which must not be read afterwards. Otherwise the chunks of a fast upload gather until the
 * garbage collector marks the whole heap, which it does after each 64 MiB: this took more than half of the processor time of an
 * upload of 1 GiB (docs/decisions, 161).
 */
function releaseMemory({ buffer, byteLength }: Uint8Array): void {
  const isWholeBuffer = buffer.byteLength === byteLength
  if (isWholeBuffer && byteLength >= minReleasedBytes && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/**
 * Works like `receiveBytes`, and gives back the memory of each chunk. In addition, a body that has already arrived
 * completely can be read as a whole.
 */
export const incomingBytes = (options: Omit<ReceiveOptions, 'releasesChunks'>): IncomingBody =>
  Object.assign(receiveBytes({ ...options, releasesChunks: true }), {
    whole: async (sizeBytes: number) => readWholeBody(options, sizeBytes),
  })

/**
 * The maximum number of turns of the event loop for which `whole` waits for a body. A small body usually arrives with
 * its head or in the next turn.
 */
const maxWaitTurns = 2

async function readWholeBody(
  { request, signal, onStart, onChunk }: ReceiveOptions,
  sizeBytes: number,
): Promise<Uint8Array | null> {
  if (expectsContinue(request)) return null
  for (let turn = 0; request.readableLength < sizeBytes; turn += 1) {
    if (turn === maxWaitTurns) return null
    await new Promise((resolve) => setImmediate(resolve))
  }
  // The caller then reads the stream, which throws the error.
  if (request.destroyed || signal.aborted) return null
  onStart?.()
  const bytes: unknown = request.read(sizeBytes)
  // Node emits `end` only after a read at the end of the body.
  request.read()
  if (!(bytes instanceof Uint8Array)) return new Uint8Array()
  onChunk?.(bytes.length, 'received')
  return bytes
}

/** True when the client waits for `100 Continue` before it sends the body. */
export const expectsContinue = (request: IncomingMessage): boolean =>
  /100-continue/i.test(request.headers.expect ?? '')

const noop = (): void => undefined

type BodyReader = {
  read(): Uint8Array | 'wait' | 'end'
  /** Waits for an event of the request. Resolves to `late` when no event occurs within the given time. */
  wait(ms: number): Promise<'woken' | 'late'>
  close(): void
}

/**
 * Opens the body for reading chunk by chunk. The chunks are taken from events, because `read` would copy all chunks that have
 * arrived into one. The request is paused while a chunk waits here, and then buffers as much as it always does.
 */
function openBodyReader(request: IncomingMessage, signal: AbortSignal): BodyReader {
  const chunks: Uint8Array[] = []
  let hasEnded = request.readableEnded
  let isClosed = signal.aborted
  let wake = noop
  const onData = (chunk: Uint8Array): void => {
    request.pause()
    chunks.push(chunk)
    wake()
  }
  const onEnd = (): void => {
    hasEnded = true
    wake()
  }
  const onClosed = (): void => {
    isClosed = true
    wake()
  }
  request.pause()
  request.on('data', onData).on('end', onEnd).on('error', onClosed).on('close', onClosed)
  signal.addEventListener('abort', onClosed)
  return {
    read() {
      if (isClosed && !hasEnded) throw new AppError('aborted')
      const chunk = chunks.shift()
      if (chunk !== undefined) return chunk
      if (hasEnded) return 'end'
      request.resume()
      return 'wait'
    },
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve('late'), ms)
        wake = () => {
          clearTimeout(timer)
          resolve('woken')
        }
      }),
    close() {
      // The listener for `error` stays, because an error without a listener would end the process.
      request.off('data', onData).off('end', onEnd).off('close', onClosed)
      if (!hasEnded) request.pause()
      signal.removeEventListener('abort', onClosed)
    },
  }
}

/**
 * Creates a check of the rate at which a body arrives. Only the time in which the server waits for the client is
 * counted.
 */
function createRateCheck({ limits, nowMs }: ReceiveOptions) {
  let waitedMs = 0
  let countedBytes = 0

  async function measure(reader: BodyReader): Promise<void> {
    const startMs = nowMs()
    if ((await reader.wait(limits.receiveIdleMs)) === 'late') throw stalled()
    waitedMs += nowMs() - startMs
    if (waitedMs < limits.receiveWindowMs) return
    if (countedBytes * 1000 < limits.receiveBytesPerSecond * waitedMs) throw stalled()
    waitedMs = 0
    countedBytes = 0
  }

  return { measure, count: (sizeBytes: number): void => void (countedBytes += sizeBytes) }
}

const stalled = (): AppError => new AppError('truncated', { reason: 'the bytes arrived too slowly' })
