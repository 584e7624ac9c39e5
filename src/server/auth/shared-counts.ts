import { withinTime } from '../concurrency/within-time.ts'
import type { CountChange, ThrottleStore } from '../records/throttles.ts'
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
/** The maximum number of times that the stored times are read for a decision while writes begin and end. */
const maxRounds = 5

/** Creates the counts of a server. */
export function createSharedCounts(dependencies: SharedCountsDependencies): SharedCounts {
  const { throttles, nowMs } = dependencies
  const writer = createCountWriter(dependencies)

  const write = async (keys: readonly CountKey[], change: Partial<CountChange>): Promise<void> =>
    void (await withinTime(writer.write(keys.map((key) => changeOf(key, change))), waitMs))

  /**
   * Reads the stored times of some keys. Returns a function that adds what is not stored to them, and one that says whether the
   * result is exact: the read may have missed the times of a write that ended meanwhile, or doubled those of one that began. If
   * it is not, the times are the more numerous ones of those before and after the read.
   */
  async function readStored(keys: readonly string[]) {
    const transitions = writer.transitions()
    const before = keys.map((key) => writer.unstoredOf(key))
    const stored = await Promise.all(keys.map(async (key) => throttles.timesOf(key)))
    const isExact = (): boolean => transitions === writer.transitions()
    const timesOf = (key: string, index: number): CountedTimes => {
      const own = stored[index] ?? []
      const [early, late] = [before[index]?.(own) ?? [], writer.unstoredOf(key)(own)]
      return isExact() || late.length >= early.length ? late : early
    }
    return { isExact, times: (): readonly CountedTimes[] => keys.map(timesOf) }
  }

  async function decideBy<T>(
    countKeys: readonly CountKey[],
    decide: (times: readonly CountedTimes[]) => T,
  ): Promise<T> {
    const keys = countKeys.map(({ key }) => key)
    let hasCorrected = false
    for (let round = 1; ; round += 1) {
      const running = writer.writeOf(keys)
      if (running !== null)
        await withinTime(
          running.catch(() => {}),
          waitMs,
        )
      const read = await readStored(keys)
      if (!read.isExact() && round < maxRounds) continue
      const times = read.times()
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
