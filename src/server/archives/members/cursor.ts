import { AppError } from '../../../shared/domain/failure.ts'
import type { MemberBytes, MemberChunk } from './member.ts'

/** A position in a stream of member chunks, which arrive in batches. */
export type MemberChunkCursor = {
  /** Returns the next chunk of the current batch, or null after the last chunk of the batch. */
  readonly take: () => MemberChunk | null
  /** Waits for the next batch, which invalidates the chunks taken so far. Returns false at the end of the stream. */
  readonly loadNextBatch: () => Promise<boolean>
  /** Ends the stream and its source. */
  readonly close: () => Promise<void>
}

export function cursorOf(batches: AsyncIterable<readonly MemberChunk[]>): MemberChunkCursor {
  const iterator = batches[Symbol.asyncIterator]()
  let batch: readonly MemberChunk[] = []
  let index = 0
  return {
    take() {
      const chunk = batch[index] ?? null
      index += 1
      return chunk
    },
    async loadNextBatch() {
      const next = await iterator.next()
      batch = next.done === true ? [] : next.value
      index = 0
      return next.done !== true
    },
    close: async () => void (await iterator.return?.()),
  }
}

/**
 * Yields the remaining chunks of a member until `sizeBytes` bytes have been read. Throws `truncated` if the stream
 * provides fewer bytes.
 */
export async function* remainingBytesOf(
  cursor: MemberChunkCursor,
  sizeBytes: number,
): AsyncGenerator<MemberBytes, void> {
  for (let left = sizeBytes; left > 0;) {
    const chunk = cursor.take()
    if (chunk === null) {
      if (await cursor.loadNextBatch()) continue
      throw new AppError('truncated')
    }
    if (chunk.kind !== 'bytes') throw new AppError('truncated')
    left -= chunk.bytes.length
    yield chunk
  }
}
