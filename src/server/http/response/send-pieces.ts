import { AppError } from '../../../shared/domain/failure.ts'
import type { Exchange } from '../exchange.ts'
import { contentCodings, type Encoding } from './compression.ts'
import { finishResponse, writeBytes } from './write-bytes.ts'

type Pieces = AsyncIterable<string | Uint8Array>

/**
 * Sends pieces as they are produced, with backpressure from the client. Each piece is flushed immediately, also with
 * compression. When the client disconnects, no further piece is requested. When producing a later piece fails, the
 * connection is closed, so that the client notices that the response is incomplete.
 */
export async function sendPieces(
  exchange: Exchange,
  pieces: Pieces,
  encoding: Encoding | null,
): Promise<void> {
  const { response } = exchange
  try {
    await writeBytes(exchange, encoding === null ? pieces : compressPieces(pieces, encoding))
    await finishResponse(response)
  } catch (error) {
    response.destroy()
    throw error
  }
}

/** Closes a stream of pieces that will not be sent. */
export async function discardPieces(pieces: Pieces): Promise<void> {
  await pieces[Symbol.asyncIterator]().return?.()
}

/**
 * Reads only the first piece and closes the stream. It is used for HEAD, so that a failure before the first piece has
 * the same status as for GET.
 */
export async function readFirstPiece(pieces: Pieces): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]()
  await iterator.next()
  await iterator.return?.()
}

/** Compresses pieces and flushes after each piece, so that the client always has complete pieces. */
async function* compressPieces(pieces: Pieces, encoding: Encoding): AsyncGenerator<Uint8Array> {
  const stream = contentCodings[encoding].stream()
  let failure: Error | null = null
  const made: Buffer[] = []
  stream.on('data', (chunk: Buffer) => made.push(chunk))
  stream.on('error', (error: Error) => (failure = error))
  try {
    for await (const piece of pieces) {
      await new Promise<void>((resolve) => {
        stream.write(piece)
        stream.flush(resolve)
      })
      if (failure !== null) throw new AppError('internal', { cause: failure })
      yield Buffer.concat(made.splice(0))
    }
    await new Promise<void>((resolve) => {
      stream.once('end', resolve)
      stream.end()
    })
    yield Buffer.concat(made)
  } finally {
    stream.destroy()
  }
}
