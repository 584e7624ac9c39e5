import { AppError } from '../../../shared/domain/failure.ts'
import type { MemberBytes, MemberPiece } from './member.ts'

/** A position in a stream of pieces that arrive in batches. */
export type PieceCursor = {
  /** Returns the next piece of the current batch, or null after its last piece. */
  readonly take: () => MemberPiece | null
  /** Waits for the next batch, which invalidates the pieces taken so far. Returns false at the end of the stream. */
  readonly more: () => Promise<boolean>
  /** Ends the stream and its source. */
  readonly close: () => Promise<void>
}

export function cursorOf(batches: AsyncIterable<readonly MemberPiece[]>): PieceCursor {
  const iterator = batches[Symbol.asyncIterator]()
  let pieces: readonly MemberPiece[] = []
  let at = 0
  return {
    take() {
      const piece = pieces[at] ?? null
      at += 1
      return piece
    },
    async more() {
      const next = await iterator.next()
      pieces = next.done === true ? [] : next.value
      at = 0
      return next.done !== true
    },
    close: async () => void (await iterator.return?.()),
  }
}

/** Yields the pieces of a member until `sizeBytes` bytes have arrived. Throws `truncated` if fewer arrive. */
export async function* bytesLeft(cursor: PieceCursor, sizeBytes: number): AsyncGenerator<MemberBytes, void> {
  for (let left = sizeBytes; left > 0;) {
    const piece = cursor.take()
    if (piece === null) {
      if (await cursor.more()) continue
      throw new AppError('truncated')
    }
    if (piece.kind !== 'bytes') throw new AppError('truncated')
    left -= piece.bytes.length
    yield piece
  }
}
