const mergedBytes = 512 * 1024
/** Chunks of at least this size, in bytes, are passed on without being copied. */
const largeChunkBytes = 128 * 1024

/**
 * Merges small chunks into larger chunks, so that fewer system calls are needed to send them. The first chunks are
 * passed on immediately, so that the response begins without delay. A merged chunk is valid only until the next chunk
 * is requested, because the buffer is reused.
 */
export async function* mergeChunks(
  chunks: AsyncIterable<readonly Uint8Array[]>,
): AsyncGenerator<Uint8Array, void> {
  const gathered = new Uint8Array(mergedBytes)
  let gatheredBytes = 0
  let hasBegun = false
  const takeMerged = (): Uint8Array => {
    const merged = gathered.subarray(0, gatheredBytes)
    gatheredBytes = 0
    return merged
  }
  for await (const batch of chunks) {
    for (const chunk of batch) {
      const isLarge = chunk.length >= largeChunkBytes
      if (gatheredBytes > 0 && (isLarge || gatheredBytes + chunk.length > mergedBytes)) yield takeMerged()
      if (isLarge) yield chunk
      else gathered.set(chunk, gatheredBytes)
      gatheredBytes += isLarge ? 0 : chunk.length
      hasBegun ||= isLarge
    }
    if (!hasBegun && gatheredBytes > 0) yield takeMerged()
    hasBegun ||= batch.length > 0
  }
  if (gatheredBytes > 0) yield takeMerged()
}
