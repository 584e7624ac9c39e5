import type { Duplex } from 'node:stream'
import { AppError } from '../../../shared/domain/failure.ts'

/**
 * Chunks sent through a stream of Node, each when the one before has been taken in whole: its memory is used again then. A failure
 * of either is thrown; leaving early ends both.
 */
export async function* through(
  chunks: AsyncIterable<Uint8Array>,
  stream: Duplex,
): AsyncGenerator<Buffer, void> {
  const feeding = feed(chunks, stream)
  // What fails here is thrown by the stream, too.
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

/** A stream that is destroyed may keep silent of what it was taking. */
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
