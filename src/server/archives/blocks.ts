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
 * Chunks of any size as pieces that are worth a write of their own. The first is sent on at once, so that an answer begins when
 * there is something to answer. A piece is valid until the next one is asked for: its memory is used again.
 */
export async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const gathered = new Uint8Array(pieceBytes)
  let gatheredBytes = 0
  let isFirst = true
  const take = (): Uint8Array => {
    const piece = gathered.subarray(0, gatheredBytes)
    gatheredBytes = 0
    isFirst = false
    return piece
  }
  for await (const chunk of chunks) {
    const isLarge = chunk.length >= largeChunkBytes
    if (gatheredBytes > 0 && (isLarge || gatheredBytes + chunk.length > pieceBytes)) yield take()
    if (isLarge) {
      isFirst = false
      yield chunk
      continue
    }
    gathered.set(chunk, gatheredBytes)
    gatheredBytes += chunk.length
    if (isFirst && gatheredBytes > 0) yield take()
  }
  if (gatheredBytes > 0) yield take()
}
