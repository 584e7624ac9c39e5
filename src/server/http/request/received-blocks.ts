/** The bytes of a body that have arrived and that nobody has taken yet. */
export type ArrivedBytes = {
  add(chunk: Uint8Array): void
  /** Returns bytes that have arrived; undefined when there are none. */
  take(): Uint8Array | undefined
  readonly isEmpty: () => boolean
  /** True when nothing should be added before something was taken. */
  readonly isFull: () => boolean
}

/** Keeps chunks as they arrive. What `take` has returned stays valid. */
export function createChunkQueue(): ArrivedBytes {
  const chunks: Uint8Array[] = []
  return {
    add: (chunk) => void chunks.push(chunk),
    take: () => chunks.shift(),
    isEmpty: () => chunks.length === 0,
    isFull: () => chunks.length > 0,
  }
}

/** The maximum size of a block: 512 KiB, which the storage writes in one call. */
const maxBlockBytes = 512 * 1024

/**
 * Collects chunks in blocks, and gives the memory of each chunk back at once. Passing single chunks of 64 KiB to the storage took
 * a tenth of the processor time of a large upload (docs/decisions, 192). What `take` has returned must not be read after the next call
 * of `take`. There are two blocks, so that one is filled while the other one is written; a slow client needs only one.
 */
export function createBlockCollector(bodyBytes: number): ArrivedBytes {
  const blockBytes = Math.max(1, Math.min(bodyBytes, maxBlockBytes))
  /** Chunks that did not fit into the block, and the number of bytes of the first one that did. */
  const unfitting: Uint8Array[] = []
  let usedBytes = 0
  let block: Buffer | null = null
  let filledBytes = 0
  let takenBlock: Buffer | null = null

  function fill(): void {
    for (let chunk = unfitting[0]; chunk !== undefined && filledBytes < blockBytes; chunk = unfitting[0]) {
      block ??= Buffer.allocUnsafeSlow(blockBytes)
      const endBytes = usedBytes + blockBytes - filledBytes
      const fits = usedBytes === 0 && chunk.length <= endBytes
      const part = fits ? chunk : chunk.subarray(usedBytes, endBytes)
      block.set(part, filledBytes)
      filledBytes += part.length
      usedBytes += part.length
      if (usedBytes < chunk.length) return
      unfitting.shift()
      usedBytes = 0
      releaseMemory(chunk)
    }
  }

  return {
    add(chunk) {
      unfitting.push(chunk)
      fill()
    },
    take() {
      if (block === null || filledBytes === 0) {
        // Nothing has arrived while the taken block was written, so that one block is enough.
        block ??= takenBlock
        takenBlock = null
        return undefined
      }
      const bytes = block.subarray(0, filledBytes)
      ;[block, takenBlock] = [takenBlock, block]
      filledBytes = 0
      fill()
      return bytes
    },
    isEmpty: () => filledBytes === 0,
    isFull: () => filledBytes === blockBytes,
  }
}

/**
 * The size from which the memory of a chunk is given back: 16 KiB. For smaller chunks, the garbage collector is as fast.
 */
const minReleasedBytes = 16 * 1024

/**
 * Gives back the memory of a chunk, which must not be read afterwards. Otherwise the chunks of a fast upload gather until the
 * garbage collector marks the whole heap, which it does after each 64 MiB: this took more than half of the processor time of an
 * upload of 1 GiB (docs/decisions, 161).
 */
function releaseMemory({ buffer, byteLength }: Uint8Array): void {
  const isWholeBuffer = buffer.byteLength === byteLength
  if (isWholeBuffer && byteLength >= minReleasedBytes && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
