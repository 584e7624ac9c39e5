import type { MainThreadLink } from '../../../workers/serve.ts'
import { maxItemsAhead } from '../../../workers/messages.ts'
import type { TreeStreamItem } from '../../port.ts'
import { packPieces } from './packed-pieces.ts'

/**
 * Size in bytes (256 KiB) of the buffer of one batch. Together with the number of batches that may wait to be taken, it
 * limits the memory of a read.
 */
export const batchBytes = 256 * 1024
/** Maximum number of pieces in one batch. */
const batchPieces = 512
/**
 * Number of buffers. One buffer is being filled, one is in use by the main thread, and the others belong to batches
 * that wait to be taken.
 */
const bufferCount = maxItemsAhead + 2

const noBytes = new Uint8Array()

/** Collects pieces and sends them in batches, together with the buffer that contains their bytes. */
export type TreeBatches = {
  /** Returns memory for the next bytes. Its size is at least `leastBytes`, which may not exceed `batchBytes`. */
  room(leastBytes: number): Promise<Uint8Array>
  /** Adds a piece to the batch. The bytes of the piece must be at the start of the memory that `room` returned last. */
  push(piece: TreeStreamItem): Promise<void>
  /** Sends the collected pieces. */
  flush(): Promise<void>
}

/**
 * Creates batches whose buffers are shared with the main thread and reused in turn, because allocating new memory for
 * all bytes of a large tree would cost more than reading them. The bytes of a batch are valid until the next batch is
 * requested.
 */
export function createTreeBatches(link: MainThreadLink): TreeBatches {
  const buffers: Uint8Array[] = []
  let current = 0
  let pieces: TreeStreamItem[] = []
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
