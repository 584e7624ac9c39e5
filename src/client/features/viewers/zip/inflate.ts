import { ZipError } from './zip-error.ts'

/**
 * The number of compressed bytes that are given to the decompressor at once. Browsers decompress a piece completely, even
 * when nobody reads the result, and a byte of a hostile archive may become 1000 bytes.
 */
const sliceBytes = 8192

/** The time after which other work of the page gets its turn, in milliseconds. */
const turnMs = 10

/**
 * Decompresses the content of an entry, which must have the given size.
 * @throws ZipError when the content is damaged or has another size, and the reason of the signal.
 */
export async function inflate(
  stored: Uint8Array<ArrayBuffer>,
  sizeBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const content = new Uint8Array(sizeBytes)
  const reader = slicesOf(stored).pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  let filled = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) break
      content.set(value, filled)
      filled += value.length
    }
  } catch {
    void reader.cancel().catch(() => undefined)
    signal.throwIfAborted()
    throw new ZipError('damaged')
  }
  if (filled !== sizeBytes) throw new ZipError('damaged')
  return content
}

/** Streams bytes in small pieces, only as fast as they are read. */
function slicesOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0
  let turnStartMs = performance.now()
  return new ReadableStream(
    {
      pull: async (controller) => {
        if (performance.now() - turnStartMs > turnMs) {
          await new Promise((resolve) => setTimeout(resolve))
          turnStartMs = performance.now()
        }
        if (at >= bytes.length) controller.close()
        else controller.enqueue(bytes.subarray(at, at + sliceBytes))
        at += sliceBytes
      },
    },
    { highWaterMark: 0 },
  )
}
