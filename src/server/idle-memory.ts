import { collectGarbageOnGrowth, exposedGc, garbageCollector } from './workers/garbage.ts'

/** Returns memory that the process no longer uses to the operating system while the server is idle. */
export type IdleGarbageCollector = {
  /** Must be called whenever the server has done work. It is cheap enough to be called for each request. */
  noteWork(): void
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
  /** The idle times in milliseconds after which memory is returned for the first and for the second time. */
  readonly idleTimesMs?: readonly [firstMs: number, secondMs: number]
}

/**
 * The growth of the resident set, in bytes, above which memory is returned. A garbage collection stops the main thread
 * for up to 60 ms (measured with a heap of 85 MB), which a smaller growth does not justify.
 */
const minGrowthBytes = 16e6
/**
 * The default idle times in milliseconds. The first time is short, so that the memory of a burst of work is returned
 * soon. When the second time has passed, idle worker threads (`defaultIntervalMs` of `workers/idle-threads.ts`) and
 * converter processes (`idleMs` of the converter pool) have ended, kept listings have expired (`maxIdleMs` of
 * `files/listing-cache.ts`), and their memory in the heap of the C library is also free.
 */
const defaultIdleTimesMs = [1000, 40_000] as const

/**
 * Creates a collector that returns memory to the operating system when the server has been idle. Without it, V8 and the
 * C library keep freed memory: after a listing of 100,000 entries, transfers of 1 GiB and a zip, an idle server
 * occupied 305 MB, of which it used 131 MB.
 */
export function createIdleGarbageCollector({
  idleTimesMs: [firstMs, secondMs] = defaultIdleTimesMs,
  ...dependencies
}: IdleGarbageCollectorDependencies): IdleGarbageCollector {
  const { isBusy, residentBytes, collectGarbage, trimHeap } = dependencies
  /** The resident set in bytes at the start or after the last release of memory. */
  let baselineBytes = residentBytes()
  /**
   * True between the first release and the second one. The baseline of the first release contains what idle threads and
   * caches still hold, so the second release must not depend on a growth since then.
   */
  let needsSecondRelease = false

  function release({ isSecond }: { readonly isSecond: boolean }): void {
    const hasGrown = residentBytes() - baselineBytes >= minGrowthBytes
    if (!hasGrown && !(isSecond && needsSecondRelease)) return
    needsSecondRelease = !isSecond
    collectGarbage()
    trimHeap()
    baselineBytes = residentBytes()
  }

  const timers = [
    createIdleTimer(firstMs, { isBusy, run: () => release({ isSecond: false }) }),
    createIdleTimer(secondMs, { isBusy, run: () => release({ isSecond: true }) }),
  ]
  return {
    noteWork: () => timers.forEach((timer) => timer.restart()),
    stop: () => timers.forEach((timer) => timer.stop()),
  }
}

/**
 * Creates the collector for this process. Where memory is small, the garbage of the main thread is also collected whenever it has
 * grown, until the collector is stopped.
 */
export function openIdleMemory({
  isMemorySmall,
  ...dependencies
}: Pick<IdleGarbageCollectorDependencies, 'isBusy' | 'trimHeap'> & {
  readonly isMemorySmall: boolean
}): IdleGarbageCollector {
  const stopCollecting = isMemorySmall ? collectGarbageOnGrowth(dependencies.trimHeap) : () => {}
  const collector = createIdleGarbageCollector({
    ...dependencies,
    residentBytes: () => process.memoryUsage.rss(),
    collectGarbage: garbageCollector(),
  })
  return {
    noteWork: () => collector.noteWork(),
    stop() {
      collector.stop()
      stopCollecting()
    },
  }
}

type IdleTimerOptions = { readonly isBusy: () => boolean; readonly run: () => void }

/** Creates a timer that runs a function when it was not restarted for a time. It waits again while the server is busy. */
function createIdleTimer(idleMs: number, { isBusy, run }: IdleTimerOptions) {
  let timer: NodeJS.Timeout | null = null
  const onIdle = (): void => {
    if (isBusy()) timer?.refresh()
    else run()
  }
  return {
    restart(): void {
      if (timer === null) timer = setTimeout(onIdle, idleMs).unref()
      else timer.refresh()
    },
    stop(): void {
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** The numbers of transferred bytes after which new garbage, and after which all free memory is given back: 4 and 32 MiB. */
const [bytesPerCollection, bytesPerRelease] = [4 * 1024 * 1024, 32 * 1024 * 1024]

export type TransferGarbageDependencies = {
  /** Collects the garbage of the main thread that is new. */
  readonly collectNewGarbage: () => void
  /** Collects all garbage of the main thread, and returns free memory to the operating system. */
  readonly releaseMemory: () => void
}

/**
 * Returns the function to call with the size of each chunk of a body, where memory is small. It frees the buffers of transferred
 * bytes again and again. V8 would collect them only when there are 32 to 64 MB of them, because they are outside of its heap.
 */
export function createTransferGarbageCollector({
  collectNewGarbage,
  releaseMemory,
}: TransferGarbageDependencies): (bytes: number) => void {
  let [sinceCollection, sinceRelease] = [0, 0]
  return (bytes) => {
    sinceCollection += bytes
    sinceRelease += bytes
    if (sinceRelease >= bytesPerRelease) {
      sinceCollection = sinceRelease = 0
      releaseMemory()
    } else if (sinceCollection >= bytesPerCollection) {
      sinceCollection = 0
      collectNewGarbage()
    }
  }
}

/** Creates the collector of the garbage of transfers for this process. `trimHeap` returns free pages of the C library. */
export function transferGarbageCollector(trimHeap: () => void): (bytes: number) => void {
  const collectGarbage = garbageCollector()
  return createTransferGarbageCollector({
    collectNewGarbage: newGarbageCollector(),
    releaseMemory() {
      collectGarbage()
      trimHeap()
    },
  })
}

/** Returns a function that collects the garbage of the main thread that is new, in less than a millisecond. */
function newGarbageCollector(): () => void {
  const gc = exposedGc()
  return () => gc({ type: 'minor', execution: 'sync' })
}
