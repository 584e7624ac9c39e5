import type { ServerResponse } from 'node:http'
import { AppError } from '../../../shared/domain/failure.ts'
import type { Exchange } from '../exchange.ts'

/**
 * Writes chunks to the connection. Each chunk is written after the previous one was sent, because their buffers are
 * reused. The head of the response is sent with the first chunk. Returns the total length of the chunks.
 */
export async function writeBytes(
  { response, lifetime }: Exchange,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<number> {
  let written = 0
  for await (const chunk of chunks) {
    if (lifetime.cutReason() !== null || response.destroyed) throw new AppError('aborted')
    if (chunk.length > 0) await write(response, chunk)
    written += chunk.length
  }
  return written
}

const write = (response: ServerResponse, chunk: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    response.write(chunk, (error) =>
      error === null || error === undefined ? resolve() : reject(new AppError('aborted', { cause: error })),
    )
  })

/** Ends a response and waits until it has been sent, or its connection has closed. */
export const finishResponse = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    response.once('close', resolve)
    response.end(resolve)
  })

/** Reads the first piece in advance, so that an early failure can still be answered with a failure status. */
export async function withFirstPiece<Piece>(pieces: AsyncIterable<Piece>): Promise<AsyncIterable<Piece>> {
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  return (async function* () {
    try {
      for (let piece = first; piece.done !== true; piece = await iterator.next()) yield piece.value
    } finally {
      await iterator.return?.()
    }
  })()
}
