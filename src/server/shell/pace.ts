export type Pace = {
  /** Waits until so many bytes may follow those before them. */
  take(sizeBytes: number): Promise<void>
}

export type PaceNeeds = {
  readonly bytesPerSecond: number
  readonly nowMs: () => number
  readonly sleep: (ms: number) => Promise<unknown>
}

/** A second's worth may come at once; whoever was slower for a while saves up no more than that. */
export function createPace({ bytesPerSecond, nowMs, sleep }: PaceNeeds): Pace {
  let room = bytesPerSecond
  let atMs = nowMs()
  return {
    async take(sizeBytes) {
      const now = nowMs()
      room = Math.min(bytesPerSecond, room + ((now - atMs) / 1000) * bytesPerSecond)
      atMs = now
      room -= sizeBytes
      if (room < 0) await sleep((-room / bytesPerSecond) * 1000)
    },
  }
}
