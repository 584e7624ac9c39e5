import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '../../../shared/domain/failure.ts'
import type { Incoming } from '../../storage/port.ts'
import type { HttpLimits } from '../http-options.ts'

export type Receiving = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly signal: AbortSignal
  readonly limits: Pick<HttpLimits, 'receiveIdleMs' | 'receiveBytesPerSecond' | 'receiveWindowMs'>
  readonly nowMs: () => number
  readonly onStart?: () => void
}

/**
 * A request's bytes as they come. Nothing is read, and `100 Continue` is not said, before they are first asked for. Throws `aborted`
 * when the client leaves or the signal says so, and `truncated` when it is silent or slower than the limits; the time that the
 * reader of the bytes takes is not the client's.
 */
export async function* receive(receiving: Receiving): AsyncGenerator<Uint8Array, void, undefined> {
  const { request, response, signal } = receiving
  if (request.destroyed && !request.readableEnded) throw new AppError('aborted')
  receiving.onStart?.()
  if (expectsContinue(request)) response.writeContinue()
  const inlet = openInlet(request, signal)
  const pace = createPace(receiving)
  try {
    for (;;) {
      const chunk = inlet.read()
      if (chunk === 'end') return
      if (chunk === 'wait') await pace.measure(inlet)
      else {
        pace.count(chunk.length)
        yield chunk
      }
    }
  } finally {
    inlet.close()
  }
}

/** As `receive`; what has come as a whole already may be taken at once. */
export const incoming = (receiving: Receiving): Incoming =>
  Object.assign(receive(receiving), {
    whole: async (sizeBytes: number) => takeWhole(receiving, sizeBytes),
  })

/** A body often comes together with its head, or the connection brings it in the next turn. */
const mostTurns = 2

async function takeWhole(
  { request, signal, onStart }: Receiving,
  sizeBytes: number,
): Promise<Uint8Array | null> {
  if (expectsContinue(request)) return null
  for (let turn = 0; request.readableLength < sizeBytes; turn += 1) {
    if (turn === mostTurns) return null
    await new Promise((resolve) => setImmediate(resolve))
  }
  // Iterating tells what is wrong.
  if (request.destroyed || signal.aborted) return null
  onStart?.()
  const bytes: unknown = request.read(sizeBytes)
  // The end is noticed by who reads beyond it.
  request.read()
  return bytes instanceof Uint8Array ? bytes : new Uint8Array()
}

export const expectsContinue = (request: IncomingMessage): boolean =>
  /100-continue/i.test(request.headers.expect ?? '')

const asleep = (): void => undefined

type Inlet = {
  read(): Uint8Array | 'wait' | 'end'
  /** Resolves when something has happened, or after the time; says which. */
  wait(ms: number): Promise<'woken' | 'late'>
  close(): void
}

function openInlet(request: IncomingMessage, signal: AbortSignal): Inlet {
  let hasEnded = request.readableEnded
  let hasLeft = signal.aborted
  let wake = asleep
  const onReadable = (): void => wake()
  const onEnd = (): void => {
    hasEnded = true
    wake()
  }
  const onGone = (): void => {
    hasLeft = true
    wake()
  }
  request.on('readable', onReadable).on('end', onEnd).on('error', onGone).on('close', onGone)
  signal.addEventListener('abort', onGone)
  return {
    read() {
      if (hasLeft && !hasEnded) throw new AppError('aborted')
      const chunk: unknown = request.read()
      if (chunk instanceof Uint8Array) return chunk
      return hasEnded ? 'end' : 'wait'
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
      request.off('readable', onReadable).off('end', onEnd).off('close', onGone)
      signal.removeEventListener('abort', onGone)
    },
  }
}

/** Judges the client by the time that was spent waiting for it. */
function createPace({ limits, nowMs }: Receiving) {
  let waitedMs = 0
  let countedBytes = 0

  async function measure(inlet: Inlet): Promise<void> {
    const startMs = nowMs()
    if ((await inlet.wait(limits.receiveIdleMs)) === 'late') throw stalled()
    waitedMs += nowMs() - startMs
    if (waitedMs < limits.receiveWindowMs) return
    if (countedBytes * 1000 < limits.receiveBytesPerSecond * waitedMs) throw stalled()
    waitedMs = 0
    countedBytes = 0
  }

  return { measure, count: (sizeBytes: number): void => void (countedBytes += sizeBytes) }
}

const stalled = (): AppError => new AppError('truncated', { reason: 'the bytes came too slowly' })
