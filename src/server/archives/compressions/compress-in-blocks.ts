export type BlockOptions = {
  /**
   * Number of input bytes per block. It limits the memory use, and the distance over which the compression finds
   * repetitions.
   */
  readonly blockBytes: number
  /** Maximum number of blocks that are compressed concurrently. */
  readonly atOnce: number
  readonly compress: (block: Buffer) => Promise<Uint8Array>
}

/**
 * Compresses the chunks block by block, each block to a complete stream of its own. Formats that allow concatenated
 * streams can thus be compressed on several cores.
 */
export async function* compressInBlocks(
  chunks: AsyncIterable<Uint8Array>,
  { blockBytes, atOnce, compress }: BlockOptions,
): AsyncGenerator<Uint8Array, void> {
  let isEmpty = true
  for await (const block of inOrder(inBlocks(chunks, blockBytes), atOnce, compress)) {
    isEmpty = false
    yield block
  }
  if (isEmpty) yield await compress(Buffer.alloc(0))
}

/** Gathers chunks of any size into blocks of `blockBytes`; the last block may be shorter. Every block is a new buffer. */
async function* inBlocks(
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

/**
 * Runs `work` on each item, at most `atOnce` items concurrently, and yields the results in the order of the items. A
 * consumer that stops early waits until the running work has ended.
 */
async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void> {
  const running: Promise<Result>[] = []
  try {
    for await (const item of items) {
      const result = work(item)
      // The result is awaited later. Without this handler a failure before then would be an unhandled rejection.
      result.catch(() => {})
      running.push(result)
      const first = running.length >= atOnce ? running.shift() : undefined
      if (first !== undefined) yield await first
    }
    for (let next = running.shift(); next !== undefined; next = running.shift()) yield await next
  } finally {
    await Promise.allSettled(running)
  }
}
