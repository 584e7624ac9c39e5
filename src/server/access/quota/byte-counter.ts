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
  /** Notes that an entry is being renamed. Returns the function to call when the entry has its new name. */
  beginMove(): () => void
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
  /** True when entries were added or renamed during the last scan, so that the number may be too high. */
  wasDisturbed: boolean
  /** Number of noted changes since the start. `changesAtScan` is a copy of it from the start of the last scan. */
  readonly changes: { more: number; less: number }
  changesAtScan: { more: number; less: number }
  /** Number of renames since the start, and of those that have not ended yet. */
  readonly moves: { begun: number; running: number }
  running: Promise<void> | null
  next: Promise<void> | null
}

const initialState = (): CounterState => ({
  knownBytes: 0,
  scannedAtMs: Number.NEGATIVE_INFINITY,
  addedBytes: 0,
  wasDisturbed: false,
  changes: { more: 0, less: 0 },
  changesAtScan: { more: 0, less: 0 },
  moves: { begun: 0, running: 0 },
  running: null,
  next: null,
})

export function createByteCounter(scan: () => Promise<number>, nowMs: () => number): ByteCounter {
  const state = initialState()

  /**
   * Scans. An entry that is renamed meanwhile may move from a folder that the scan has not read yet to one that it has
   * read, so that the scan misses it. The number is then not lowered, and a first scan does not count as one.
   */
  async function run(): Promise<void> {
    const [atMs, changesAtScan] = [nowMs(), { ...state.changes }]
    const movesBefore = state.moves.running === 0 ? state.moves.begun : null
    state.addedBytes = 0
    const bytes = (await scan()) + state.addedBytes
    const mayHaveMissed = state.moves.begun !== movesBefore
    state.knownBytes = mayHaveMissed ? Math.max(bytes, state.knownBytes) : bytes
    state.wasDisturbed = state.addedBytes > 0 || mayHaveMissed
    if (!mayHaveMissed || state.scannedAtMs !== Number.NEGATIVE_INFINITY) state.scannedAtMs = atMs
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
    !hasMore() && !state.wasDisturbed && state.changes.less === state.changesAtScan.less

  return {
    knownBytes: () => state.knownBytes,
    isExact,
    async refresh() {
      // A scan that is already running may have begun before the latest change. The second one has not.
      for (let scans = 0; hasMore() && scans < 2; scans += 1) await (state.running ?? rescan())
    },
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
    beginMove() {
      state.moves.begun += 1
      state.moves.running += 1
      return () => void (state.moves.running -= 1)
    },
  }
}
