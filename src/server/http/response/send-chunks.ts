import { AppError } from '../../../shared/domain/failure.ts'
import type { HttpExchange } from '../exchange.ts'
import { contentCodings, type ContentEncoding } from './compression.ts'
import { finishResponse, writeBytes } from './write-bytes.ts'

type ChunkStream = AsyncIterable<string | Uint8Array>

/**
 * Sends chunks as they are produced, with backpressure from the client. Each chunk is flushed immediately, also with
 * compression. When the client disconnects, no further chunk is requested. When the producer of the chunks throws, the
 * connection is closed, so that the client notices that the response is incomplete.
 */
export async function sendChunks(
  exchange: HttpExchange,
  chunks: ChunkStream,
  encoding: ContentEncoding | null,
): Promise<void> {
  const { response } = exchange
  try {
    await writeBytes(exchange, encoding === null ? chunks : compressChunks(chunks, encoding))
    await finishResponse(response)
  } catch (error) {
    response.destroy()
    throw error
  }
}

/** Closes a stream of chunks that will not be sent. */
export async function discardChunks(chunks: ChunkStream): Promise<void> {
  await chunks[Symbol.asyncIterator]().return?.()
}

/**
 * Reads the first chunk and closes the stream. It is used for HEAD requests, so that an error before the first chunk
 * leads to the same status as for GET.
 */
export async function readFirstChunk(chunks: ChunkStream): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]()
  await iterator.next()
  await iterator.return?.()
}

/**
 * Compresses chunks and flushes the compressor after each chunk, so that the client can decompress each chunk as soon
 * as it arrives.
 */
async function* compressChunks(chunks: ChunkStream, encoding: ContentEncoding): AsyncGenerator<Uint8Array> {
  const stream = contentCodings[encoding].createStream()
  let failure: Error | null = null
  const compressed: Buffer[] = []
  stream.on('data', (chunk: Buffer) => compressed.push(chunk))
  stream.on('error', (error: Error) => (failure = error))
  try {
    for await (const chunk of chunks) {
      await new Promise<void>((resolve) => {
        stream.write(chunk)
        stream.flush(resolve)
      })
      if (failure !== null) throw new AppError('internal', { cause: failure })
      yield Buffer.concat(compressed.splice(0))
    }
    await new Promise<void>((resolve) => {
      stream.once('end', resolve)
      stream.end()
    })
    yield Buffer.concat(compressed)
  } finally {
    stream.destroy()
  }
}
