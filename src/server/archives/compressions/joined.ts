import { inBlocks } from '../blocks.ts'
import { inOrder } from '../in-order.ts'

export type Joining = {
  /** So much is compressed at a time: it bounds the memory, and what the compression can look back on. */
  readonly blockBytes: number
  readonly atOnce: number
  readonly compress: (block: Buffer) => Promise<Uint8Array>
}

/** Compresses in blocks, each a whole stream of its own: formats whose streams may be joined use several cores that way. */
export async function* joined(
  chunks: AsyncIterable<Uint8Array>,
  { blockBytes, atOnce, compress }: Joining,
): AsyncGenerator<Uint8Array, void> {
  let isEmpty = true
  for await (const block of inOrder(inBlocks(chunks, blockBytes), atOnce, compress)) {
    isEmpty = false
    yield block
  }
  if (isEmpty) yield await compress(Buffer.alloc(0))
}
