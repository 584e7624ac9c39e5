import type { MemberPiece } from '../member.ts'
import { padding, tarEnd, tarHeader } from './tar-header.ts'

/** A tar file of these members. Of any size; nothing of it is kept in memory. */
export async function* writeTar(pieces: AsyncIterable<MemberPiece>): AsyncGenerator<Uint8Array, void> {
  let missing: Uint8Array = Buffer.alloc(0)
  for await (const piece of pieces) {
    if (piece.kind === 'bytes') {
      yield piece.bytes
      continue
    }
    yield missing
    yield tarHeader(piece.member)
    missing = padding(piece.member.sizeBytes)
  }
  yield missing
  yield tarEnd()
}
