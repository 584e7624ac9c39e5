import type { MemberPiece } from '../members/member.ts'
import { padding, tarEnd, tarHeader } from './tar-header.ts'

/**
 * Yields a tar file of these members, one list of chunks per batch. The file may be of any size; no part of it is kept
 * in memory.
 */
export async function* writeTar(
  batches: AsyncIterable<readonly MemberPiece[]>,
): AsyncGenerator<readonly Uint8Array[], void> {
  let missing = padding(0)
  for await (const pieces of batches) {
    const chunks: Uint8Array[] = []
    for (const piece of pieces) {
      if (piece.kind === 'bytes') {
        chunks.push(piece.bytes)
        continue
      }
      if (missing.length > 0) chunks.push(missing)
      chunks.push(tarHeader(piece.member))
      missing = padding(piece.member.sizeBytes)
    }
    yield chunks
  }
  yield [missing, tarEnd()]
}
