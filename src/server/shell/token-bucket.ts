export type TokenBucket = {
  /** Takes the given number of bytes from the bucket. Resolves when the rate allows these bytes. */
  take(sizeBytes: number): Promise<void>
}

export type TokenBucketOptions = {
  readonly bytesPerSecond: number
  readonly nowMs: () => number
  readonly sleep: (ms: number) => Promise<unknown>
}

/**
 * Creates a rate limiter for bytes. Unused capacity is saved for at most one second, so a burst may contain as many
 * bytes as the rate allows in one second.
 */
export function createTokenBucket({ bytesPerSecond, nowMs, sleep }: TokenBucketOptions): TokenBucket {
  let availableBytes = bytesPerSecond
  let atMs = nowMs()
  return {
    async take(sizeBytes) {
      const now = nowMs()
      availableBytes = Math.min(bytesPerSecond, availableBytes + ((now - atMs) / 1000) * bytesPerSecond)
      atMs = now
      availableBytes -= sizeBytes
      if (availableBytes < 0) await sleep((-availableBytes / bytesPerSecond) * 1000)
    },
  }
}
