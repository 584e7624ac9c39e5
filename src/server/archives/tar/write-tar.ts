import type { MemberChunk } from '../members/member.ts'
import { padding, tarEnd, tarHeader } from './tar-header.ts'

/**
 * Yields a tar file of the members, as one list of chunks for each batch. The file may have any size, because no part
 * of it is kept in memory.
 */
export async function* writeTar(
  batches: AsyncIterable<readonly MemberChunk[]>,
): AsyncGenerator<readonly Uint8Array[], void> {
  let filler = padding(0)
  for await (const batch of batches) {
    const chunks: Uint8Array[] = []
    for (const chunk of batch) {
      if (chunk.kind === 'bytes') {
        chunks.push(chunk.bytes)
        continue
      }
      if (filler.length > 0) chunks.push(filler)
      chunks.push(tarHeader(chunk.member))
      filler = padding(chunk.member.sizeBytes)
    }
    yield chunks
  }
  yield [filler, tarEnd()]
}
