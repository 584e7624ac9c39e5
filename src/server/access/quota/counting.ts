/** A count that is made when it is needed, and moved along until it is made anew. */
export type Counting = {
  /** No less than is there, as far as is known. */
  heldBytes(): number
  /** Whether nothing has happened since the count that it does not show. */
  isExact(): boolean
  /** Counts where there may be more than is known, or the last count is old. */
  upToDate(): Promise<void>
  /** A count that begins later than this call; who asks at the same time shares one. */
  anew(): Promise<void>
  exactBytes(): Promise<number>
  add(bytes: number): void
  hear(news: 'more' | 'less'): void
}

/** What other programs change is found after so long. */
const freshMs = 5 * 60_000

type State = {
  heldBytes: number
  countedAtMs: number
  /** Came since the last count began, which may have seen it or not. */
  addedBytes: number
  /** What came while it ran is in it twice, maybe. */
  isDoubtful: boolean
  /** What was heard, ever and when the last count began. */
  readonly heard: { more: number; less: number }
  seen: { more: number; less: number }
  running: Promise<void> | null
  next: Promise<void> | null
}

export function createCounting(count: () => Promise<number>, nowMs: () => number): Counting {
  const state: State = {
    heldBytes: 0,
    countedAtMs: Number.NEGATIVE_INFINITY,
    addedBytes: 0,
    isDoubtful: false,
    heard: { more: 0, less: 0 },
    seen: { more: 0, less: 0 },
    running: null,
    next: null,
  }

  async function run(): Promise<void> {
    const [atMs, seen] = [nowMs(), { ...state.heard }]
    state.addedBytes = 0
    const bytes = await count()
    state.heldBytes = bytes + state.addedBytes
    state.isDoubtful = state.addedBytes > 0
    state.countedAtMs = atMs
    state.seen = seen
  }

  function anew(): Promise<void> {
    if (state.running === null) {
      state.running = run().finally(() => (state.running = null))
      return state.running
    }
    const after = (): Promise<void> => {
      state.next = null
      return anew()
    }
    state.next ??= state.running.then(after, after)
    return state.next
  }

  const hasMore = (): boolean => state.heard.more !== state.seen.more || nowMs() - state.countedAtMs > freshMs
  const isExact = (): boolean => !hasMore() && !state.isDoubtful && state.heard.less === state.seen.less

  return {
    heldBytes: () => state.heldBytes,
    isExact,
    upToDate: async () => (hasMore() ? (state.running ?? anew()) : undefined),
    anew,
    async exactBytes() {
      if (!isExact()) await anew()
      return state.heldBytes
    },
    add(bytes) {
      state.heldBytes += bytes
      state.addedBytes += bytes
    },
    hear: (news) => void (state.heard[news] += 1),
  }
}
