/** Gathers chunks of any size into blocks of `blockBytes`; the last may be shorter. The buffers are not used again. */
export async function* inBlocks(
  chunks: AsyncIterable<Uint8Array>,
  blockBytes: number,
): AsyncGenerator<Buffer, void> {
  let block = Buffer.allocUnsafeSlow(blockBytes)
  let usedBytes = 0
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      const length = Math.min(blockBytes - usedBytes, chunk.length - at)
      block.set(chunk.subarray(at, at + length), usedBytes)
      at += length
      usedBytes += length
      if (usedBytes < blockBytes) continue
      yield block
      block = Buffer.allocUnsafeSlow(blockBytes)
      usedBytes = 0
    }
  }
  if (usedBytes > 0) yield block.subarray(0, usedBytes)
}

const pieceBytes = 512 * 1024
/** Chunks of at least this size are sent on as they are; smaller ones than pieces, in any case. */
const largeChunkBytes = 128 * 1024

/**
 * Chunks of any size, some at a time, as pieces that are worth a write of their own. The first ones are sent on at once, so that an
 * answer begins when there is something to answer. A piece is valid until the next one is asked for: its memory is used again.
 */
export async function* inPieces(
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
