const pieceBytes = 512 * 1024
/** Chunks of at least this size, in bytes, are passed on without being copied. */
const largeChunkBytes = 128 * 1024

/**
 * Merges chunks of any size into pieces that are large enough for a system call of their own. The first chunks are
 * passed on immediately, so that the response begins without delay. A piece is valid until the next piece is requested,
 * because its buffer is reused.
 */
export async function* mergeChunks(
  chunks: AsyncIterable<readonly Uint8Array[]>,
): AsyncGenerator<Uint8Array, void> {
  const gathered = new Uint8Array(pieceBytes)
  let gatheredBytes = 0
  let isBegun = false
  const take = (): Uint8Array => {
    const piece = gathered.subarray(0, gatheredBytes)
    gatheredBytes = 0
    return piece
  }
  for await (const some of chunks) {
    for (const chunk of some) {
      const isLarge = chunk.length >= largeChunkBytes
      if (gatheredBytes > 0 && (isLarge || gatheredBytes + chunk.length > pieceBytes)) yield take()
      if (isLarge) yield chunk
      else gathered.set(chunk, gatheredBytes)
      gatheredBytes += isLarge ? 0 : chunk.length
      isBegun ||= isLarge
    }
    if (!isBegun && gatheredBytes > 0) yield take()
    isBegun ||= some.length > 0
  }
  if (gatheredBytes > 0) yield take()
}
