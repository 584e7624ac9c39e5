import { withinTime } from '../concurrency/within-time.ts'
import type { CountChange, ThrottleStore } from '../records/port.ts'
import { createCountWriter, type CountedTimes, type CountWriterDependencies } from './count-writer.ts'

/** A key whose times are counted, such as a client address, and how long and how many of them count. */
export type CountKey = Pick<CountChange, 'key' | 'windowMs' | 'maxTimes'>

/**
 * Counts the times at which something happened that is limited, such as a failed login, together with all servers of the
 * state.
 */
export type SharedCounts = {
  /**
   * Calls `decide` with the times that count for some keys, and returns its result. No time is added at this server between
   * the read and the decision.
   */
  decideBy<T>(keys: readonly CountKey[], decide: (times: readonly CountedTimes[]) => T): Promise<T>
  /** Adds the present time to some keys. Resolves when all servers count it, or after a short time. */
  add(keys: readonly CountKey[]): Promise<void>
  /** Makes all times of a key not count any more. Resolves as `add` does. */
  reset(key: CountKey): Promise<void>
  /** Stores what is not stored yet. */
  close(): Promise<void>
}

type SharedCountsDependencies = CountWriterDependencies & {
  readonly throttles: ThrottleStore
}

/** The time in milliseconds for which a response waits until its failure is written. It usually takes some milliseconds. */
const waitMs = 250

/** Creates the counts of a server. */
export function createSharedCounts(dependencies: SharedCountsDependencies): SharedCounts {
  const { throttles, nowMs } = dependencies
  const writer = createCountWriter(dependencies)

  const write = async (keys: readonly CountKey[], change: Partial<CountChange>): Promise<void> =>
    void (await withinTime(writer.write(keys.map((key) => changeOf(key, change))), waitMs))

  async function decideBy<T>(
    countKeys: readonly CountKey[],
    decide: (times: readonly CountedTimes[]) => T,
  ): Promise<T> {
    const keys = countKeys.map(({ key }) => key)
    for (let hasCorrected = false; ;) {
      const running = writer.writeOf(keys)
      if (running !== null)
        await withinTime(
          running.catch(() => {}),
          waitMs,
        )
      const before = writer.transitions()
      const stored = await Promise.all(keys.map(async (key) => throttles.timesOf(key)))
      // The read may have missed the times of a write that ended meanwhile, or doubled those of one that began.
      if (before !== writer.transitions()) continue
      const times = keys.map((key, index) => writer.withUnstored(key, stored[index] ?? []))
      const atMs = nowMs()
      const ofFuture = countKeys.filter((_, index) => (times[index]?.at(-1) ?? 0) > atMs)
      if (ofFuture.length === 0 || hasCorrected)
        return decide(times.map((own) => own.map((timeMs) => Math.min(timeMs, atMs))))
      // The store moves times of the future to the present. A clock was ahead, and a limit must not last longer than its window.
      await write(ofFuture, {})
      hasCorrected = true
    }
  }

  return {
    decideBy,
    add: async (keys) => write(keys, { atMs: [nowMs()] }),
    async reset(key) {
      if (await decideBy([key], ([times]) => times?.length === 0)) return
      writer.forget(key.key)
      await write([key], { resetAtMs: nowMs() })
    },
    close: async () => writer.close(),
  }
}

const changeOf = ({ key, windowMs, maxTimes }: CountKey, change: Partial<CountChange>): CountChange => ({
  key,
  windowMs,
  maxTimes,
  resetAtMs: null,
  atMs: [],
  ...change,
})
