import type { ByteBudgetLimits } from './byte-budget.ts'

/** A response that keeps entries of a folder or a tree in memory until its client has read them. */
export type Reading = {
  /** Takes bytes at once. Returns false, and takes nothing, when there is no room or others wait for it. */
  readonly hold: (bytes: number) => boolean
  /** Waits for room, and takes it. Rejects when the signal of the reading aborts. */
  readonly wait: (bytes: number) => Promise<void>
  /** Must be called when a part of the response is handed to the client, and when the client has taken the part. */
  readonly offered: () => void
  readonly taken: () => void
  /** Gives everything back. May be called more than once. */
  readonly close: () => void
}

/** The memory that a response holds in advance of its client. What it holds is given back when the response ends. */
export type ResponseMemory = Pick<Reading, 'hold' | 'wait'>

export type ReadingOptions = {
  /** The user or the address that reads. */
  readonly key: string
  readonly signal: () => AbortSignal
  /** Ends the response. Called when its client has taken nothing for some time while others wait for the memory. */
  readonly end: () => void
}

/** Opens readings, which share the memory. */
export type ReadingMemory = { readonly open: (options: ReadingOptions) => Reading }

export type ReadingMemoryOptions = ByteBudgetLimits & {
  /** The time in milliseconds without progress after which a reading ends when others wait. */
  readonly stalledMs: number
}

/** The interval in milliseconds at which readings that stand still are looked for while others wait. */
const checkMs = 250

type OpenReading = {
  readonly options: ReadingOptions
  heldBytes: number
  /** The time at which a part was handed to the client, or null while the client has taken everything. */
  offeredAtMs: number | null
}

type WaitingReading = { readonly reading: OpenReading; readonly bytes: number; readonly start: () => void }

/**
 * Creates the memory that slow readers share. A client decides how fast it reads, so a reading that finds no room waits, and the
 * reading that has stood still for the longest time ends for it. What one reading needs counts with the share of one key at most.
 */
export function createReadingMemory({ stalledMs, ...limits }: ReadingMemoryOptions): ReadingMemory {
  const held = createHeldBytes(limits)
  const open = new Set<OpenReading>()
  const waiting = new Set<WaitingReading>()
  let timer: NodeJS.Timeout | null = null

  const nextInTurn = (): readonly WaitingReading[] => inTurn([...waiting], held)

  function take(reading: OpenReading, bytes: number): void {
    open.add(reading)
    held.change(reading, bytes)
  }

  function startWaiting(): void {
    for (let [next] = nextInTurn(); next !== undefined; [next] = nextInTurn()) {
      if (held.lackOf(next.reading, next.bytes) !== null) break
      waiting.delete(next)
      take(next.reading, next.bytes)
      next.start()
    }
    if (waiting.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }

  /** Ends the reading that has stood still for the longest time, of those whose end helps a waiting one. */
  function endStalled(): void {
    const keys = new Set([...waiting].map(({ reading }) => reading.options.key))
    const lacksTotal = nextInTurn().length > 0
    const helping = [...open].filter(({ options }) => lacksTotal || keys.has(options.key))
    longestStalled(helping, stalledMs)?.options.end()
  }

  function wait(reading: OpenReading, bytes: number): Promise<void> {
    const { waiter, started } = createWaiter(reading, bytes, () => {
      waiting.delete(waiter)
      startWaiting()
    })
    waiting.add(waiter)
    timer ??= setInterval(endStalled, checkMs).unref()
    startWaiting()
    return started
  }

  return {
    open(options) {
      const reading: OpenReading = { options, heldBytes: 0, offeredAtMs: null }
      return {
        hold(bytes) {
          const counted = held.countedOf(bytes)
          // A reading that waits for room in the share of its own key keeps no other key waiting.
          const isFree = nextInTurn().length === 0 && held.lackOf(reading, counted) === null
          if (isFree) take(reading, counted)
          return isFree
        },
        wait: async (bytes) => wait(reading, held.countedOf(bytes)),
        offered: () => (reading.offeredAtMs = performance.now()),
        taken: () => (reading.offeredAtMs = null),
        close() {
          if (!open.delete(reading)) return
          held.change(reading, -reading.heldBytes)
          startWaiting()
        },
      }
    },
  }
}

/** Returns the waiting readings whose key has room for them, those of the keys that hold least first. */
const inTurn = (
  waiting: readonly WaitingReading[],
  { lackOf, ofKey }: ReturnType<typeof createHeldBytes>,
): readonly WaitingReading[] =>
  waiting
    .filter(({ reading, bytes }) => lackOf(reading, bytes) !== 'own')
    .toSorted((a, b) => ofKey(a.reading) - ofKey(b.reading))

/** Counts what the readings hold, in total and for each key. It keeps no state for keys that hold nothing. */
function createHeldBytes({ totalBytes, bytesPerKey }: ByteBudgetLimits) {
  const heldByKey = new Map<string, number>()
  let heldBytes = 0
  const ofKey = ({ options }: OpenReading): number => heldByKey.get(options.key) ?? 0
  return {
    ofKey,
    countedOf: (bytes: number): number => Math.min(bytes, bytesPerKey),
    /** Returns what lacks room for these bytes: the share of the key, or the memory of all. */
    lackOf: (reading: OpenReading, bytes: number): 'own' | 'all' | null => {
      if (ofKey(reading) + bytes > bytesPerKey) return 'own'
      return heldBytes + bytes > totalBytes ? 'all' : null
    },
    change(reading: OpenReading, bytes: number): void {
      const bytesOfKey = ofKey(reading) + bytes
      heldBytes += bytes
      reading.heldBytes += bytes
      if (bytesOfKey === 0) heldByKey.delete(reading.options.key)
      else heldByKey.set(reading.options.key, bytesOfKey)
    },
  }
}

/** Returns the reading whose client has taken nothing for at least `stalledMs`, and for the longest time. */
const longestStalled = (readings: readonly OpenReading[], stalledMs: number): OpenReading | undefined =>
  readings
    .filter(({ offeredAtMs }) => offeredAtMs !== null && offeredAtMs <= performance.now() - stalledMs)
    .toSorted((a, b) => (a.offeredAtMs ?? 0) - (b.offeredAtMs ?? 0))[0]

/** Creates a waiting reading. Its promise rejects, and `onLeave` is called, when the signal of the reading aborts before it starts. */
function createWaiter(reading: OpenReading, bytes: number, onLeave: () => void) {
  const { promise: started, resolve, reject } = Promise.withResolvers<void>()
  const signal = reading.options.signal()
  signal.throwIfAborted()
  function leave(): void {
    onLeave()
    reject(signal.reason as Error)
  }
  signal.addEventListener('abort', leave, { once: true })
  function start(): void {
    signal.removeEventListener('abort', leave)
    resolve()
  }
  const waiter: WaitingReading = { reading, bytes, start }
  return { waiter, started }
}
