import { Readable, type Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Chunks sent through a stream of Node. A failure of either is thrown; leaving early ends both. */
export async function* through(
  chunks: AsyncIterable<Uint8Array>,
  stream: Duplex,
): AsyncGenerator<Buffer, void> {
  const piped = pipeline(Readable.from(chunks, { objectMode: false, highWaterMark: 256 * 1024 }), stream)
  // What fails here is thrown by the stream, too.
  piped.catch(() => {})
  try {
    yield* stream as AsyncIterable<Buffer>
  } finally {
    stream.destroy()
    await piped.catch(() => {})
  }
}
