import type { Bytes } from '../../../../../shared/photos/read-part.ts'

/**
 * The number of compressed bytes that are given to the decompressor at once. Browsers decompress a piece completely, even
 * when nobody reads the result, and a byte of a hostile file may become 1000 bytes.
 */
const sliceBytes = 64 * 1024

/** Decompresses Deflate with a zlib header. What does not fit into the target is left out, and damage ends it early. */
export async function decodeDeflate(source: Bytes, target: Bytes): Promise<void> {
  let at = 0
  const slices = new ReadableStream<Bytes>(
    {
      pull: (controller) => {
        if (at >= source.length) controller.close()
        else controller.enqueue(source.subarray(at, at + sliceBytes))
        at += sliceBytes
      },
    },
    { highWaterMark: 0 },
  )
  const reader = slices.pipeThrough(new DecompressionStream('deflate')).getReader()
  let filled = 0
  try {
    while (filled < target.length) {
      const { done, value } = await reader.read()
      if (done) return
      target.set(value.subarray(0, target.length - filled), filled)
      filled += value.length
    }
  } catch {
    // The rows before the damage are shown.
  }
  void reader.cancel().catch(() => undefined)
}
