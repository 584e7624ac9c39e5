import type { ServerResponse } from 'node:http'
import { AppError } from '../../../shared/domain/failure.ts'
import type { Exchange } from '../exchange.ts'

/**
 * Writes chunks to the connection, each one after the previous one has left, because their buffers are reused. The head
 * of the answer is sent with the first chunk. Returns the length of all chunks.
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

/** Ends an answer and waits until it has left, or its connection has closed. */
export const finishResponse = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    response.once('close', resolve)
    response.end(resolve)
  })

/** Reads the first piece ahead, so that a failure before anything was sent is still answered as a failure. */
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
