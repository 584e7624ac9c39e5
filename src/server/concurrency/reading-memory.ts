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
export function createReadingMemory({
  totalBytes,
  bytesPerKey,
  stalledMs,
}: ReadingMemoryOptions): ReadingMemory {
  const open = new Set<OpenReading>()
  const waiting = new Set<WaitingReading>()
  let timer: NodeJS.Timeout | null = null

  const heldByKey = new Map<string, number>()
  let heldBytes = 0
  const bytesOf = ({ options }: OpenReading): number => heldByKey.get(options.key) ?? 0

  /** Returns what lacks room for these bytes: the share of the key, or the memory of all. */
  function lackOf(reading: OpenReading, bytes: number): 'own' | 'all' | null {
    if (bytesOf(reading) + bytes > bytesPerKey) return 'own'
    return heldBytes + bytes > totalBytes ? 'all' : null
  }

  function change(reading: OpenReading, bytes: number): void {
    const ofKey = bytesOf(reading) + bytes
    heldBytes += bytes
    reading.heldBytes += bytes
    if (ofKey === 0) heldByKey.delete(reading.options.key)
    else heldByKey.set(reading.options.key, ofKey)
  }

  function take(reading: OpenReading, bytes: number): void {
    open.add(reading)
    change(reading, bytes)
  }

  /** Returns the waiting readings whose key has room for them, those of the keys that hold least first. */
  const nextInTurn = (): readonly WaitingReading[] =>
    [...waiting]
      .filter(({ reading, bytes }) => lackOf(reading, bytes) !== 'own')
      .toSorted((a, b) => bytesOf(a.reading) - bytesOf(b.reading))

  function startWaiting(): void {
    for (let [next] = nextInTurn(); next !== undefined; [next] = nextInTurn()) {
      const { reading, bytes, start } = next
      if (lackOf(reading, bytes) !== null) break
      waiting.delete(next)
      take(reading, bytes)
      start()
    }
    if (waiting.size === 0 && timer !== null) clearInterval(timer)
    if (waiting.size === 0) timer = null
  }

  /** Ends the reading that has stood still for the longest time, of those whose end helps a waiting one. */
  function endStalled(): void {
    const [next] = nextInTurn()
    const keys = new Set([...waiting].map(({ reading }) => reading.options.key))
    const sinceMs = performance.now() - stalledMs
    const [stalled] = [...open]
      .filter(({ offeredAtMs }) => offeredAtMs !== null && offeredAtMs <= sinceMs)
      .filter(({ options }) => next !== undefined || keys.has(options.key))
      .toSorted((a, b) => (a.offeredAtMs ?? 0) - (b.offeredAtMs ?? 0))
    stalled?.options.end()
  }

  function wait(reading: OpenReading, bytes: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const signal = reading.options.signal()
    const leave = (): void => {
      waiting.delete(waiter)
      reject(signal.reason as Error)
      startWaiting()
    }
    const waiter: WaitingReading = {
      reading,
      bytes,
      start() {
        signal.removeEventListener('abort', leave)
        resolve()
      },
    }
    if (signal.aborted) return Promise.reject(signal.reason as Error)
    signal.addEventListener('abort', leave, { once: true })
    waiting.add(waiter)
    timer ??= setInterval(endStalled, checkMs).unref()
    startWaiting()
    return promise
  }

  return {
    open(options) {
      const reading: OpenReading = { options, heldBytes: 0, offeredAtMs: null }
      const counted = (bytes: number): number => Math.min(bytes, bytesPerKey)
      return {
        hold(bytes) {
          const isFree = waiting.size === 0 && lackOf(reading, counted(bytes)) === null
          if (isFree) take(reading, counted(bytes))
          return isFree
        },
        wait: async (bytes) => wait(reading, counted(bytes)),
        offered: () => (reading.offeredAtMs = performance.now()),
        taken: () => (reading.offeredAtMs = null),
        close() {
          if (!open.delete(reading)) return
          change(reading, -reading.heldBytes)
          startWaiting()
        },
      }
    },
  }
}
