import { AppError } from '../../shared/domain/failure.ts'
import type { MemberBytes, MemberPiece } from './member.ts'

/** Where somebody is in pieces that come some at a time. */
export type Cursor = {
  /** The next of those that have come; null after the last of them. */
  readonly take: () => MemberPiece | null
  /** Waits for more, for which what was taken is given up; false at the end of all. */
  readonly more: () => Promise<boolean>
  /** Ends the making of pieces. */
  readonly close: () => Promise<void>
}

export function cursorOf(batches: AsyncIterable<readonly MemberPiece[]>): Cursor {
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

/** The bytes of a member of which so many are still to come. */
export async function* bytesLeft(cursor: Cursor, sizeBytes: number): AsyncGenerator<MemberBytes, void> {
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
