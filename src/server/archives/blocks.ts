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
/** Chunks of at least this size are sent on as they are. */
const largeChunkBytes = 128 * 1024

/**
 * Chunks of any size as pieces that are worth a write of their own. The first is sent on at once, so that an answer begins when
 * there is something to answer.
 */
export async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let isFirst = true
  let gathered: Uint8Array[] = []
  let gatheredBytes = 0
  const take = (): Uint8Array => {
    const piece = gathered.length === 1 && gathered[0] ? gathered[0] : Buffer.concat(gathered, gatheredBytes)
    gathered = []
    gatheredBytes = 0
    return piece
  }
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue
    if (chunk.length >= largeChunkBytes && gatheredBytes > 0) yield take()
    gathered.push(chunk)
    gatheredBytes += chunk.length
    if (!isFirst && gatheredBytes < pieceBytes && chunk.length < largeChunkBytes) continue
    isFirst = false
    yield take()
  }
  if (gatheredBytes > 0) yield take()
}

/** Asks for the next piece before the one at hand has been used up: it is made while that is on its way. */
export async function* oneAhead(pieces: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Uint8Array, void> {
  let next = pieces.next()
  try {
    for (let piece = await next; piece.done !== true; piece = await next) {
      next = pieces.next()
      // Its failure is told when its turn comes.
      next.catch(() => {})
      yield piece.value
    }
  } finally {
    await pieces.return()
  }
}
