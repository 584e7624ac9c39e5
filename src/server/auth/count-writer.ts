import type { CountChange, ThrottleStore } from '../records/throttles.ts'
import { isUnableToStore } from './unable-to-store.ts'

/** The times that are counted for a key, in ascending order. */
export type CountedTimes = readonly number[]

/** Writes changes of counts to the records in batches, and keeps those that are not stored or not yet. */
export type CountWriter = {
  /** Adds changes to the next write. Resolves when they are written, or when it is known that they cannot be stored. */
  write(changes: readonly CountChange[]): Promise<void>
  /**
   * Returns a function that applies the changes of a key that are not stored now to its stored times. Times of the future in the
   * changes become the present: a clock was ahead, and neither a failure nor a reset may have an effect for longer than its window.
   */
  unstoredOf(key: string): (stored: CountedTimes) => CountedTimes
  /** Resolves when the write of the keys that is under way ends; null when there is none. */
  writeOf(keys: readonly string[]): Promise<void> | null
  /** Returns a number that changes when a write begins or ends. */
  transitions(): number
  /** Forgets the times of a key that could not be stored. */
  forget(key: string): void
  /** Writes what is waiting. */
  close(): Promise<void>
}

export type CountWriterDependencies = {
  readonly throttles: Pick<ThrottleStore, 'count'>
  readonly nowMs: () => number
  /** The minimum time between the starts of two writes in milliseconds. */
  readonly intervalMs?: number
}

/** The changes that are written together, by key, and the promise of the write. */
type CountBatch = {
  readonly changes: Map<string, CountChange>
  readonly written: Promise<void>
  readonly settle: (result: Promise<void>) => void
}

/**
 * The minimum time between the starts of two writes in milliseconds. A flood of failures from many addresses therefore causes
 * at most forty writes a second. A failure that comes alone is written at once.
 */
const writeIntervalMs = 25
/**
 * The maximum number of keys in a write. During a flood of more keys, the failures beyond this number count only at the server
 * that has seen them.
 */
const maxKeysPerWrite = 50
/** The maximum number of keys whose times are counted by this server alone. */
const maxLocalKeys = 50_000

/** Creates the writer of a server. */
export function createCountWriter(dependencies: CountWriterDependencies): CountWriter {
  const { throttles, nowMs, intervalMs = writeIntervalMs } = dependencies
  const local = createLocalCounts(nowMs)
  const findIn = (batch: CountBatch | null, key: string): CountChange | undefined =>
    batch === null ? undefined : correctIn(batch.changes, key, nowMs())
  let waiting = createBatch()
  let writing: CountBatch | null = null
  let timer: NodeJS.Timeout | undefined
  let lastWriteAtMs = Number.NEGATIVE_INFINITY
  let transitions = 0

  function schedule(): void {
    if (timer !== undefined || writing !== null || waiting.changes.size === 0) return
    const delayMs = lastWriteAtMs + intervalMs - performance.now()
    if (delayMs <= 0) void writeBatch()
    else timer = setTimeout(() => void writeBatch(), delayMs).unref()
  }

  async function writeBatch(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting
    writing = batch
    waiting = createBatch()
    lastWriteAtMs = performance.now()
    transitions += 1
    const result = throttles.count([...batch.changes.values()])
    const [outcome] = await Promise.allSettled([result])
    if (outcome.status === 'rejected') for (const change of batch.changes.values()) local.keep(change)
    writing = null
    transitions += 1
    batch.settle(
      outcome.status === 'rejected' && isUnableToStore(outcome.reason) ? Promise.resolve() : result,
    )
    schedule()
  }

  return {
    write(changes) {
      const batch = waiting
      for (const change of changes) {
        const queued = batch.changes.get(change.key)
        if (queued !== undefined) batch.changes.set(change.key, merged(queued, change))
        else if (batch.changes.size < maxKeysPerWrite) batch.changes.set(change.key, change)
        else local.keep(change)
      }
      schedule()
      return batch.written
    },
    unstoredOf: (key) => applierOf([local.find(key), findIn(writing, key), findIn(waiting, key)]),
    writeOf: (keys) =>
      writing !== null && keys.some((key) => writing?.changes.has(key)) ? writing.written : null,
    transitions: () => transitions,
    forget: (key) => local.forget(key),
    async close() {
      while (writing !== null || waiting.changes.size > 0)
        await (writing === null ? writeBatch() : writing.written.catch(() => {}))
    },
  }
}

function createBatch(): CountBatch {
  const { promise, resolve } = Promise.withResolvers<void>()
  // The write may fail after everybody has stopped to wait for it.
  promise.catch(() => {})
  return { changes: new Map(), written: promise, settle: resolve }
}

/** Returns the times of a key after a change that is not stored. */
function applied(change: CountChange | undefined, times: CountedTimes): CountedTimes {
  if (change === undefined) return times
  const { resetAtMs, atMs } = change
  const kept = resetAtMs === null ? times : times.filter((timeMs) => timeMs > resetAtMs)
  return [...kept, ...atMs]
}

/** Returns a function that applies changes to the times of a key, and returns them in ascending order. */
const applierOf =
  (changes: readonly (CountChange | undefined)[]) =>
  (stored: CountedTimes): CountedTimes =>
    changes.reduce((times, change) => applied(change, times), stored).toSorted((one, other) => one - other)

/** Returns the change that has the effect of two changes. */
const merged = (first: CountChange, second: CountChange): CountChange => ({
  ...second,
  resetAtMs: second.resetAtMs ?? first.resetAtMs,
  atMs: applied(second, first.atMs).slice(-second.maxTimes),
})

/**
 * Changes the times of the future to the present, and removes what has expired. Returns the change of a key afterwards. The
 * correction is kept, since a reset that always moved to the present would remove the times that are counted after it.
 */
function correctIn(changes: Map<string, CountChange>, key: string, nowMs: number): CountChange | undefined {
  const change = changes.get(key)
  if (change === undefined) return undefined
  const { resetAtMs, atMs, windowMs } = change
  const isCounted = (timeMs: number): boolean => timeMs > nowMs - windowMs
  const corrected = {
    ...change,
    resetAtMs: resetAtMs === null || !isCounted(resetAtMs) ? null : Math.min(resetAtMs, nowMs),
    atMs: atMs.filter(isCounted).map((timeMs) => Math.min(timeMs, nowMs)),
  }
  changes.set(key, corrected)
  return corrected
}

/** Keeps the changes that cannot be stored, for example on a full disk, where logins must stay possible. */
function createLocalCounts(nowMs: () => number) {
  const kept = new Map<string, CountChange>()

  /** Evicts the keys whose times have all expired or, if there are none, the oldest tenth. */
  function evict(): void {
    const all = [...kept.values()]
    const over = all.filter(({ atMs, windowMs }) => (atMs.at(-1) ?? 0) <= nowMs() - windowMs)
    for (const { key } of over.length > 0 ? over : all.slice(0, maxLocalKeys / 10)) kept.delete(key)
  }

  return {
    find: (key: string): CountChange | undefined => correctIn(kept, key, nowMs()),
    forget: (key: string): void => void kept.delete(key),
    keep(change: CountChange): void {
      const before = kept.get(change.key)
      if (before === undefined && kept.size >= maxLocalKeys) evict()
      kept.set(change.key, before === undefined ? change : merged(before, change))
    },
  }
}
