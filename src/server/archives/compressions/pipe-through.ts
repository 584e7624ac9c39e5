import type { Duplex } from 'node:stream'
import { AppError } from '../../../shared/domain/failure.ts'

/**
 * Pipes chunks through a Node stream. The next chunk is requested only after the stream has consumed the previous chunk
 * completely, because both chunks may use the same buffer. Failures of the source and of the stream are thrown. When
 * the consumer stops early, the source and the stream are ended.
 */
export async function* pipeThrough(
  chunks: AsyncIterable<Uint8Array>,
  stream: Duplex,
): AsyncGenerator<Buffer, void> {
  const feedingDone = feed(chunks, stream)
  // A failure of the source destroys the stream, which then throws it to the consumer.
  feedingDone.catch((error: Error) => stream.destroy(error))
  try {
    yield* stream as AsyncIterable<Buffer>
  } finally {
    stream.destroy()
    await feedingDone.catch(() => {})
  }
}

async function feed(chunks: AsyncIterable<Uint8Array>, stream: Duplex): Promise<void> {
  for await (const chunk of chunks) await whenConsumed(stream, chunk)
  stream.end()
}

/**
 * Writes the chunk and resolves when the stream has consumed it. The promise also rejects on the stream's `close`
 * event, because a destroyed stream may never invoke the write callback.
 */
const whenConsumed = (stream: Duplex, chunk: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    const rejectClosed = (): void => reject(new AppError('aborted'))
    stream.once('close', rejectClosed)
    stream.write(chunk, (error) => {
      stream.off('close', rejectClosed)
      if (error) reject(error)
      else resolve()
    })
  })
