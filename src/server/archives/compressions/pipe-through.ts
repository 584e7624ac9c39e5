import type { Duplex } from 'node:stream'
import { AppError } from '../../../shared/domain/failure.ts'

/**
 * Pipes chunks through a Node stream. The next chunk is requested only after the stream has consumed the previous chunk
 * completely, because both chunks may use the same buffer. A failure of the source or of the stream is thrown. A
 * consumer that stops early ends the source and the stream.
 */
export async function* pipeThrough(
  chunks: AsyncIterable<Uint8Array>,
  stream: Duplex,
): AsyncGenerator<Buffer, void> {
  const feeding = feed(chunks, stream)
  // A failure of the source destroys the stream, which then throws it to the consumer.
  feeding.catch((error: Error) => stream.destroy(error))
  try {
    yield* stream as AsyncIterable<Buffer>
  } finally {
    stream.destroy()
    await feeding.catch(() => {})
  }
}

async function feed(chunks: AsyncIterable<Uint8Array>, stream: Duplex): Promise<void> {
  for await (const chunk of chunks) await taken(stream, chunk)
  stream.end()
}

/**
 * Resolves when the stream has consumed the chunk. A destroyed stream may never invoke the callback, so its `close`
 * event rejects too.
 */
const taken = (stream: Duplex, chunk: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    const refuse = (): void => reject(new AppError('aborted'))
    stream.once('close', refuse)
    stream.write(chunk, (error) => {
      stream.off('close', refuse)
      if (error) reject(error)
      else resolve()
    })
  })
