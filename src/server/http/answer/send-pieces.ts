import { AppError } from '../../../shared/domain/failure.ts'
import type { Exchange } from '../exchange.ts'
import { contentCodings, type Encoding } from './compression.ts'
import { finishResponse, writeBytes } from './write-bytes.ts'

type Pieces = AsyncIterable<string | Uint8Array>

/**
 * Sends pieces as they are produced, with backpressure from the reader. Each piece is flushed at once, compressed or
 * not. When the reader disconnects, no further piece is requested. When producing a piece fails after the first one was
 * sent, the connection is closed, so that the reader does not take the answer for complete.
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

/** Closes a stream of pieces that nobody will read. */
export async function discardPieces(pieces: Pieces): Promise<void> {
  await pieces[Symbol.asyncIterator]().return?.()
}

/**
 * Produces the first piece only and closes the stream. HEAD uses it, so that a failure before the first piece is
 * answered as it would be for GET.
 */
export async function readFirstPiece(pieces: Pieces): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]()
  await iterator.next()
  await iterator.return?.()
}

/** Compresses pieces and flushes after each one, so that a reader always has complete pieces. */
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
