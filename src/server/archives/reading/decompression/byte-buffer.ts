/** Bytes of a stream that are in memory until they are dropped, for formats whose pieces are read as a whole. */
export type ByteBuffer = {
  /** The bytes that are in memory. The result is valid until the next call. */
  readonly bytes: () => Buffer
  /** Loads more bytes. Returns false at the end of the stream. */
  readonly more: () => Promise<boolean>
  /** Loads bytes until there are `count` in memory. Returns false when the stream ends before. */
  readonly has: (count: number) => Promise<boolean>
  readonly drop: (count: number) => void
  /** Ends the stream. */
  readonly close: () => Promise<void>
}

export function createByteBuffer(chunks: AsyncIterable<Uint8Array>): ByteBuffer {
  const iterator = chunks[Symbol.asyncIterator]()
  let bytes = Buffer.alloc(0)
  const more = async (): Promise<boolean> => {
    const next = await iterator.next()
    if (next.done === true) return false
    // The bytes are copied, because the storage uses the memory of a chunk again.
    bytes = Buffer.concat([bytes, next.value])
    return true
  }
  return {
    bytes: () => bytes,
    more,
    async has(count) {
      while (bytes.length < count) if (!(await more())) return false
      return true
    },
    drop: (count) => {
      bytes = bytes.subarray(count)
    },
    close: async () => void (await iterator.return?.()),
  }
}
