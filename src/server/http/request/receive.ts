import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '../../../shared/domain/failure.ts'
import type { IncomingBody } from '../../storage/change.ts'
import type { ChunkListener, HttpLimits } from '../http-options.ts'
import { createBlockCollector, createChunkQueue, type ArrivedBytes } from './received-blocks.ts'

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
  /** True when chunks are collected in blocks, whose memory is used again as soon as the next block is requested. */
  readonly collectsBlocks?: boolean
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
  const arrived =
    options.collectsBlocks === true ? createBlockCollector(bodyBytesOf(request)) : createChunkQueue()
  const reader = openBodyReader({ request, signal, arrived })
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
    }
  } finally {
    reader.close()
  }
}

/** Returns the announced size of a body. */
const bodyBytesOf = ({ headers }: IncomingMessage): number =>
  Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)

/**
 * Works like `receiveBytes`, and collects the chunks in blocks. In addition, a body that has already arrived completely can be
 * read as a whole.
 */
export const incomingBytes = (options: Omit<ReceiveOptions, 'collectsBlocks'>): IncomingBody =>
  Object.assign(receiveBytes({ ...options, collectsBlocks: true }), {
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
  /** Waits until bytes can be read or the body ends. Resolves to `late` when nothing arrives within the given time. */
  wait(ms: number): Promise<'woken' | 'late'>
  close(): void
}

/** The maximum time in milliseconds for which bytes of a slow client wait for more: 20 ms. */
const maxCollectingMs = 20

type BodyReaderOptions = Pick<ReceiveOptions, 'request' | 'signal'> & { readonly arrived: ArrivedBytes }

/**
 * Opens the body for reading. The chunks are taken from events, because `read` would copy all chunks that have arrived into a new
 * buffer. The request is paused while `arrived` is full, and then buffers as much as it always does. After the end of the connection,
 * the bytes that have arrived are read before the failure is thrown, because an upload can be resumed behind them.
 */
function openBodyReader({ request, signal, arrived }: BodyReaderOptions): BodyReader {
  let [hasEnded, isClosed] = [request.readableEnded, signal.aborted]
  let isPaused = true
  let wake = noop
  const collecting = createCollectingTimer(arrived, () => wake())
  const onData = (chunk: Uint8Array): void => {
    arrived.add(chunk)
    if (arrived.isFull()) {
      isPaused = true
      request.pause()
      wake()
    } else collecting.start()
  }
  const onEnd = (): void => {
    hasEnded = true
    wake()
  }
  const onClosed = (): void => {
    isClosed = true
    request.pause()
    wake()
  }
  request.pause()
  request.on('data', onData).on('end', onEnd).on('error', onClosed).on('close', onClosed)
  signal.addEventListener('abort', onClosed)

  const isReady = (): boolean =>
    collecting.isDue() || hasEnded || isClosed || arrived.isFull() || arrived.isEmpty()

  return {
    read() {
      const bytes = isReady() ? arrived.take() : undefined
      if (bytes !== undefined) collecting.onTaken()
      if (bytes === undefined && hasEnded) return 'end'
      if (bytes === undefined && isClosed) throw new AppError('aborted')
      if (isPaused && !isClosed && !arrived.isFull()) {
        isPaused = false
        request.resume()
      }
      return bytes ?? 'wait'
    },
    wait: (ms) =>
      new Promise((resolve) => {
        const end = (how: 'woken' | 'late'): void => {
          wake = noop
          clearTimeout(timer)
          resolve(how)
        }
        const timer = setTimeout(() => {
          end(arrived.isEmpty() ? 'late' : 'woken')
        }, ms)
        wake = () => end('woken')
      }),
    close() {
      // The listener for `error` stays, because an error without a listener would end the process.
      request.off('data', onData).off('end', onEnd).off('close', onClosed)
      if (!hasEnded) request.pause()
      collecting.stop()
      signal.removeEventListener('abort', onClosed)
    },
  }
}

/**
 * Creates a timer that calls a function when the same bytes have waited for `maxCollectingMs`. It is not restarted for each
 * block, because a fast client fills thousands of blocks in a second.
 */
function createCollectingTimer({ isEmpty, isFull }: ArrivedBytes, onDue: () => void) {
  let timer: NodeJS.Timeout | undefined
  let isDue = false
  let wasTaken = false

  function start(): void {
    if (timer !== undefined || isDue) return
    wasTaken = false
    timer = setTimeout(onTime, maxCollectingMs)
  }

  function onTime(): void {
    timer = undefined
    if (isEmpty()) return
    if (wasTaken) return start()
    isDue = true
    onDue()
  }

  return {
    start,
    isDue: () => isDue,
    onTaken(): void {
      isDue = false
      wasTaken = true
      // A rest that did not fit into the taken block waits, too.
      if (!isEmpty() && !isFull()) start()
    },
    stop: () => clearTimeout(timer),
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
