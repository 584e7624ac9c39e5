import type { MainThreadLink } from '../../../workers/serve.ts'
import { maxItemsAhead } from '../../../workers/messages.ts'
import type { TreeStreamItem } from '../../port.ts'
import { packTreeItems, type TreeItemsMessage } from './packed-tree-items.ts'

/**
 * Size in bytes (256 KiB) of the buffer of one batch. This size and the maximum number of unread batches limit the
 * memory that reading a tree uses.
 */
export const batchBytes = 256 * 1024
/**
 * Maximum number of items in one batch. A folder with many tiny files reaches this number before the buffer is full.
 */
const maxBatchItems = 512
/**
 * Number of buffers. One buffer is being filled, one is in use by the main thread, and the others belong to batches
 * that the main thread has not read yet.
 */
const bufferCount = maxItemsAhead + 2

const noBytes = new Uint8Array()

/** Collects items and sends them in batches, together with the buffer that contains their bytes. */
export type TreeBatches = {
  /**
   * Returns at least `minBytes` bytes of free memory for the next item. If the current buffer has less free space, its
   * batch is sent first. `minBytes` may not exceed `batchBytes`.
   */
  reserve(minBytes: number): Promise<Uint8Array>
  /**
   * Adds an item to the batch. The bytes of the item must be at the start of the memory that `reserve` returned last.
   */
  push(item: TreeStreamItem): Promise<void>
  /** Sends the collected items. */
  flush(): Promise<void>
}

/**
 * Creates batches whose buffers are shared with the main thread and reused in turn, because allocating new memory for
 * all bytes of a large tree would cost more than reading them. The bytes of a batch are valid until the next batch is
 * requested.
 */
export function createTreeBatches(link: MainThreadLink<TreeItemsMessage>): TreeBatches {
  const buffers: Uint8Array[] = []
  let current = 0
  let items: TreeStreamItem[] = []
  let usedBytes = 0

  async function flush(): Promise<void> {
    if (items.length === 0) return
    const sent = packTreeItems(items, usedBytes === 0 ? noBytes : currentBuffer().subarray(0, usedBytes))
    items = []
    usedBytes = 0
    current = (current + 1) % bufferCount
    await link.emit(sent)
  }

  function currentBuffer(): Uint8Array {
    return (buffers[current] ??= new Uint8Array(new SharedArrayBuffer(batchBytes)))
  }

  return {
    flush,
    async reserve(minBytes) {
      if (batchBytes - usedBytes < minBytes) await flush()
      return currentBuffer().subarray(usedBytes)
    },
    async push(item) {
      items.push(item)
      if (item.kind === 'bytes') usedBytes += item.bytes.length
      if (items.length >= maxBatchItems || usedBytes === batchBytes) await flush()
    },
  }
}
