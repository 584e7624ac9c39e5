import type { Link } from '../../../../workers/serve.ts'
import { itemsAhead } from '../../../../workers/messages.ts'
import type { TreePiece } from '../../../port.ts'
import { packPieces } from './sent-pieces.ts'

/** Bytes sent at once; as many batches as a stream may be ahead bound the memory of a reading. */
export const batchBytes = 256 * 1024
/** Pieces sent at once. */
const batchPieces = 512
/** So many may be sent and not taken, one is being used, and one is filled. */
const batches = itemsAhead + 2

const noBytes = new Uint8Array()

/** Gathers pieces, and sends them in batches, with the memory that their bytes lie in. */
export type TreeBatches = {
  /** Memory for the next bytes: so many at least, of which at most `batchBytes` make sense. */
  room(leastBytes: number): Promise<Uint8Array>
  /** Sends a piece along with the others; its bytes must be the first of the room that was given last. */
  push(piece: TreePiece): Promise<void>
  /** Sends what was gathered. */
  flush(): Promise<void>
}

/**
 * The memory is shared with the main thread and used in turn: fresh memory for all bytes of a large tree would cost more than
 * reading them. Bytes are good until the batch after theirs is asked for, since nothing more is sent before that.
 */
export function createTreeBatches(link: Link): TreeBatches {
  const buffers: Uint8Array[] = []
  let turn = 0
  let pieces: TreePiece[] = []
  let usedBytes = 0

  async function flush(): Promise<void> {
    if (pieces.length === 0) return
    const sent = packPieces(pieces, usedBytes === 0 ? noBytes : bufferInTurn().subarray(0, usedBytes))
    pieces = []
    usedBytes = 0
    turn = (turn + 1) % batches
    await link.emit(sent)
  }

  function bufferInTurn(): Uint8Array {
    return (buffers[turn] ??= new Uint8Array(new SharedArrayBuffer(batchBytes)))
  }

  return {
    flush,
    async room(leastBytes) {
      if (batchBytes - usedBytes < leastBytes) await flush()
      return bufferInTurn().subarray(usedBytes)
    },
    async push(piece) {
      pieces.push(piece)
      if (piece.kind === 'bytes') usedBytes += piece.bytes.length
      if (pieces.length >= batchPieces || usedBytes === batchBytes) await flush()
    },
  }
}
