/** A buffer that keeps the first bytes of an output and drops the rest. */
export type OutputBuffer = {
  /** Adds a chunk. Returns false as soon as any bytes have been dropped. */
  append(bytes: Uint8Array): boolean
  /** Returns the kept bytes decoded as UTF-8. Invalid bytes become U+FFFD. */
  text(): string
}

export function createOutputBuffer(maxBytes: number): OutputBuffer {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  let isComplete = true
  return {
    append(bytes) {
      const kept = bytes.subarray(0, maxBytes - sizeBytes)
      isComplete &&= kept.length === bytes.length
      sizeBytes += kept.length
      if (kept.length > 0) chunks.push(kept)
      return isComplete
    },
    text: () => Buffer.concat(chunks).toString('utf8'),
  }
}
