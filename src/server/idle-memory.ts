import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Returns memory that the process no longer uses to the operating system while the server is idle. */
export type IdleGarbageCollector = {
  /** Must be called whenever the server has done work. It is cheap enough to be called for each request. */
  noteWork(): void
  /** Must be called when a cache has dropped this number of bytes. They were in use at the last release of memory. */
  noteDropped(bytes: number): void
  stop(): void
}

export type IdleGarbageCollectorDependencies = {
  /** True while requests are in flight, which a garbage collection would delay. */
  readonly isBusy: () => boolean
  /** Returns the resident set of this process, in bytes. */
  readonly residentBytes: () => number
  /** Collects the garbage of the main thread and returns the empty pages of its heap to the operating system. */
  readonly collectGarbage: () => void
  /** Returns the free pages of the C library's heap to the operating system. */
  readonly trimHeap: () => void
  /** The idle times in milliseconds after which memory is returned. */
  readonly idleTimesMs?: readonly number[]
}

/**
 * The growth of the resident set, in bytes, above which memory is returned. A garbage collection stops the main thread
 * for up to 60 ms (measured with a heap of 85 MB), which a smaller growth does not justify.
 */
const minGrowthBytes = 16e6
/**
 * The default idle times in milliseconds. The first time is short, so that the memory of a burst of work is returned
 * soon. When the second time has passed, idle worker threads (`defaultIntervalMs` of `workers/idle-threads.ts`) and
 * converter processes (`idleMs` of the converter pool) have ended, and their memory in the heap of the C library is also free.
 */
const defaultIdleTimesMs = [1000, 40_000]

/**
 * Creates a collector that returns memory to the operating system when the server has been idle. Without it, V8 and the
 * C library keep freed memory: after a listing of 100,000 entries, transfers of 1 GiB and a zip, an idle server
 * occupied 305 MB, of which it used 131 MB.
 */
export function createIdleGarbageCollector({
  idleTimesMs = defaultIdleTimesMs,
  ...dependencies
}: IdleGarbageCollectorDependencies): IdleGarbageCollector {
  const { isBusy, residentBytes, collectGarbage, trimHeap } = dependencies
  /** The resident set in bytes at the start or after the last release of memory. */
  let baselineBytes = residentBytes()
  const timers = idleTimesMs.map((idleTimeMs) => ({ idleTimeMs, timer: null as NodeJS.Timeout | null }))

  function release(): void {
    if (residentBytes() - baselineBytes < minGrowthBytes) return
    collectGarbage()
    trimHeap()
    baselineBytes = residentBytes()
  }

  return {
    noteWork() {
      for (const entry of timers) {
        if (entry.timer !== null) entry.timer.refresh()
        else
          entry.timer = setTimeout(() => {
            if (isBusy()) entry.timer?.refresh()
            else release()
          }, entry.idleTimeMs).unref()
      }
    },
    noteDropped(bytes) {
      baselineBytes -= bytes
    },
    stop() {
      for (const { timer } of timers) if (timer !== null) clearTimeout(timer)
    },
  }
}

/**
 * Returns a function that collects the garbage of the main thread. V8 provides it only to contexts that are created
 * after the flag `--expose-gc` was set.
 */
export function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as (options: object) => void
  return () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
