import type { MainThreadLink } from '../../../workers/serve.ts'
import { maxItemsAhead } from '../../../workers/messages.ts'
import type { TreePiece } from '../../port.ts'
import { packPieces } from './packed-pieces.ts'

/**
 * Number of bytes (256 KiB) that are sent at once. The memory of a read is limited by this size and by the number of
 * batches that a stream may be ahead.
 */
export const batchBytes = 256 * 1024
/** Number of pieces that are sent at once. */
const batchPieces = 512
/** Number of buffers: those that were sent and not taken yet, one that is being used, and one that is being filled. */
const bufferCount = maxItemsAhead + 2

const noBytes = new Uint8Array()

/** Collects pieces and sends them in batches, together with the memory that holds their bytes. */
export type TreeBatches = {
  /** Returns memory for the next bytes. It has at least `leastBytes` bytes, which may not exceed `batchBytes`. */
  room(leastBytes: number): Promise<Uint8Array>
  /** Adds a piece to the batch. The bytes of the piece must be the first ones of the room that was returned last. */
  push(piece: TreePiece): Promise<void>
  /** Sends the collected pieces. */
  flush(): Promise<void>
}

/**
 * Creates batches whose memory is shared with the main thread and reused in turn; fresh memory for all bytes of a large
 * tree would cost more than reading them. The bytes of a batch are valid until the batch after it is requested, because
 * nothing more is sent before that.
 */
export function createTreeBatches(link: MainThreadLink): TreeBatches {
  const buffers: Uint8Array[] = []
  let current = 0
  let pieces: TreePiece[] = []
  let usedBytes = 0

  async function flush(): Promise<void> {
    if (pieces.length === 0) return
    const sent = packPieces(pieces, usedBytes === 0 ? noBytes : currentBuffer().subarray(0, usedBytes))
    pieces = []
    usedBytes = 0
    current = (current + 1) % bufferCount
    await link.emit(sent)
  }

  function currentBuffer(): Uint8Array {
    return (buffers[current] ??= new Uint8Array(new SharedArrayBuffer(batchBytes)))
  }

  return {
    flush,
    async room(leastBytes) {
      if (batchBytes - usedBytes < leastBytes) await flush()
      return currentBuffer().subarray(usedBytes)
    },
    async push(piece) {
      pieces.push(piece)
      if (piece.kind === 'bytes') usedBytes += piece.bytes.length
      if (pieces.length >= batchPieces || usedBytes === batchBytes) await flush()
    },
  }
}
