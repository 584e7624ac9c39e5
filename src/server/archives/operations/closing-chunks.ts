/**
 * Returns chunks of a generator, and calls `close` once when they have ended or failed, or when the consumer stops. A
 * generator alone would skip its `finally` block when the consumer stops before the first chunk, which happens when the
 * client has left in between.
 */
export function closingChunks<T>(
  chunks: AsyncGenerator<T, void>,
  close: () => Promise<void>,
): AsyncIterable<T> {
  let closing: Promise<void> | undefined
  const closeOnce = (): Promise<void> => (closing ??= close())
  const iterator: AsyncIterator<T, void> = {
    async next() {
      try {
        const next = await chunks.next()
        if (next.done === true) await closeOnce()
        return next
      } catch (error) {
        await closeOnce()
        throw error
      }
    },
    async return() {
      try {
        return await chunks.return()
      } finally {
        await closeOnce()
      }
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}
