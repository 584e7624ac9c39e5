import type { ServerResponse } from 'node:http'
import { AppError } from '../../../shared/domain/failure.ts'
import type { HttpExchange } from '../exchange.ts'

/**
 * Writes chunks to the connection. Each chunk is written after the previous chunk was sent, because the producer reuses
 * the buffers. The head of the response is sent with the first chunk. Returns the total length of the chunks.
 */
export async function writeBytes(
  exchange: HttpExchange,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<number> {
  const { response, lifetime } = exchange
  const write = writerTo(response)
  let written = 0
  for await (const chunk of chunks) {
    if (lifetime.abortReason() !== null || response.destroyed) throw new AppError('aborted')
    exchange.reading?.offered()
    if (chunk.length > 0) await write(chunk)
    exchange.reading?.taken()
    written += chunk.length
    exchange.onChunk?.(chunk.length, 'sent')
  }
  return written
}

/**
 * Returns the function that writes a chunk and resolves when it was sent. It rejects with `aborted` when the connection has
 * closed. Node never invokes the callback of a chunk that is written after the connection was closed and before the
 * event `close`.
 */
function writerTo(response: ServerResponse): (chunk: string | Uint8Array) => Promise<void> {
  let rejectWrite: ((error: AppError) => void) | undefined
  response.once('close', () => rejectWrite?.(new AppError('aborted')))
  return (chunk) =>
    new Promise((resolve, reject) => {
      rejectWrite = reject
      response.write(chunk, (error) =>
        error === null || error === undefined ? resolve() : reject(new AppError('aborted', { cause: error })),
      )
    })
}

/** Ends a response. Resolves when the response has been sent or its connection has closed. */
export const finishResponse = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (response.destroyed) return resolve()
    response.once('close', resolve)
    response.end(resolve)
  })

/**
 * Reads the first chunk in advance, so that an error before the first chunk can still be sent as a failure response.
 */
export async function withFirstChunk<Chunk>(chunks: AsyncIterable<Chunk>): Promise<AsyncIterable<Chunk>> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  return (async function* () {
    try {
      for (let chunk = first; chunk.done !== true; chunk = await iterator.next()) yield chunk.value
    } finally {
      await iterator.return?.()
    }
  })()
}
