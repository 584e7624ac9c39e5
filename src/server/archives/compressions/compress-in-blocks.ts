export type BlockCompressionOptions = {
  /**
   * Number of input bytes per block. Larger blocks need more memory, but let the compressor find repetitions that are
   * further apart.
   */
  readonly blockBytes: number
  /** Maximum number of blocks that are compressed concurrently. */
  readonly concurrency: number
  readonly compress: (block: Buffer) => Promise<Uint8Array>
}

/**
 * Compresses the chunks in blocks and yields a complete compressed stream for each block. Formats that allow
 * concatenated streams can therefore be compressed on several cores.
 */
export async function* compressInBlocks(
  chunks: AsyncIterable<Uint8Array>,
  { blockBytes, concurrency, compress }: BlockCompressionOptions,
): AsyncGenerator<Uint8Array, void> {
  let isEmpty = true
  for await (const block of inOrder(inBlocks(chunks, blockBytes), concurrency, compress)) {
    isEmpty = false
    yield block
  }
  if (isEmpty) yield await compress(Buffer.alloc(0))
}

/**
 * Gathers chunks of any size into blocks of `blockBytes` bytes. The last block may be shorter. Every block is a new
 * buffer.
 */
async function* inBlocks(
  chunks: AsyncIterable<Uint8Array>,
  blockBytes: number,
): AsyncGenerator<Buffer, void> {
  let block = Buffer.allocUnsafeSlow(blockBytes)
  let usedBytes = 0
  for await (const chunk of chunks) {
    for (let position = 0; position < chunk.length;) {
      const length = Math.min(blockBytes - usedBytes, chunk.length - position)
      block.set(chunk.subarray(position, position + length), usedBytes)
      position += length
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
 * Calls `work` for each item and yields the results in the order of the items. At most `concurrency` calls run at the
 * same time. When the consumer stops early, the generator waits for the running calls before it ends.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void> {
  const running: Promise<Result>[] = []
  try {
    for await (const item of items) {
      const result = work(item)
      // The result is awaited later. Without this handler a failure before then would be an unhandled rejection.
      result.catch(() => {})
      running.push(result)
      const first = running.length >= concurrency ? running.shift() : undefined
      if (first !== undefined) yield await first
    }
    for (let next = running.shift(); next !== undefined; next = running.shift()) yield await next
  } finally {
    await Promise.allSettled(running)
  }
}
