import { AppError } from '../../../shared/domain/failure.ts'
import type { Exchange } from '../exchange.ts'
import { compressions, type Encoding } from './compression.ts'
import { finished, writeBytes } from './write-bytes.ts'

type Pieces = AsyncIterable<string | Uint8Array>

/**
 * Sends pieces as they come, at the pace of their reader; each is flushed at once, compressed or not. When the reader has left no
 * further piece is asked for. Pieces that fail after the first has gone cut the connection, so that the answer is not taken for whole.
 */
export async function sendPieces(
  exchange: Exchange,
  pieces: Pieces,
  encoding: Encoding | null,
): Promise<void> {
  const { response } = exchange
  try {
    await writeBytes(exchange, encoding === null ? pieces : compressed(pieces, encoding))
    await finished(response)
  } catch (error) {
    response.destroy()
    throw error
  }
}

/** Lets go of pieces that nobody will read. */
export async function discard(pieces: Pieces): Promise<void> {
  await pieces[Symbol.asyncIterator]().return?.()
}

/** Asks for the first piece and no other: what fails before it fails for who wants no body, too. */
export async function beginOnly(pieces: Pieces): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]()
  await iterator.next()
  await iterator.return?.()
}

/** Every piece is flushed, so that what a reader has is always whole pieces. */
async function* compressed(pieces: Pieces, encoding: Encoding): AsyncGenerator<Uint8Array> {
  const stream = compressions[encoding].stream()
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
