/**
 * Counts the bytes in a scope. The number is determined by a scan when it is needed, and then updated until the next
 * scan.
 */
export type ByteCounter = {
  /** Returns the number of bytes that the last scan found, plus the bytes added since. */
  knownBytes(): number
  /**
   * Returns true when the number is exact as far as this server knows: it includes every change, and no bytes twice.
   */
  isExact(): boolean
  /** Scans again if the number may be too low or the last scan is too old. */
  refresh(): Promise<void>
  /** Scans again. Concurrent callers share one scan, which starts after they called. */
  rescan(): Promise<void>
  exactBytes(): Promise<number>
  add(bytes: number): void
  noteChange(direction: 'more' | 'less'): void
}

/**
 * Maximum age of a scan in milliseconds. A new scan after this time finds the changes that other programs have made.
 */
const maxAgeMs = 5 * 60_000

type CounterState = {
  knownBytes: number
  scannedAtMs: number
  /** Bytes added since the last scan started; that scan may or may not have seen them. */
  addedBytes: number
  /** True when bytes were added during the last scan: the number may contain them twice. */
  mayCountTwice: boolean
  /** Number of noted changes since the start. `changesAtScan` is a copy of it from the start of the last scan. */
  readonly changes: { more: number; less: number }
  changesAtScan: { more: number; less: number }
  running: Promise<void> | null
  next: Promise<void> | null
}

export function createByteCounter(scan: () => Promise<number>, nowMs: () => number): ByteCounter {
  const state: CounterState = {
    knownBytes: 0,
    scannedAtMs: Number.NEGATIVE_INFINITY,
    addedBytes: 0,
    mayCountTwice: false,
    changes: { more: 0, less: 0 },
    changesAtScan: { more: 0, less: 0 },
    running: null,
    next: null,
  }

  async function run(): Promise<void> {
    const [atMs, changesAtScan] = [nowMs(), { ...state.changes }]
    state.addedBytes = 0
    const bytes = await scan()
    state.knownBytes = bytes + state.addedBytes
    state.mayCountTwice = state.addedBytes > 0
    state.scannedAtMs = atMs
    state.changesAtScan = changesAtScan
  }

  function rescan(): Promise<void> {
    if (state.running === null) {
      state.running = run().finally(() => (state.running = null))
      return state.running
    }
    const after = (): Promise<void> => {
      state.next = null
      return rescan()
    }
    state.next ??= state.running.then(after, after)
    return state.next
  }

  const hasMore = (): boolean =>
    state.changes.more !== state.changesAtScan.more || nowMs() - state.scannedAtMs > maxAgeMs
  const isExact = (): boolean =>
    !hasMore() && !state.mayCountTwice && state.changes.less === state.changesAtScan.less

  return {
    knownBytes: () => state.knownBytes,
    isExact,
    refresh: async () => (hasMore() ? (state.running ?? rescan()) : undefined),
    rescan: rescan,
    async exactBytes() {
      if (!isExact()) await rescan()
      return state.knownBytes
    },
    add(bytes) {
      state.knownBytes += bytes
      state.addedBytes += bytes
    },
    noteChange: (direction) => void (state.changes[direction] += 1),
  }
}
