import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Returns memory that the process no longer uses to the operating system while the server is idle. */
export type IdleGarbageCollector = {
  /** Must be called whenever the server has done work. It is cheap enough to be called for each request. */
  noteWork(): void
  stop(): void
}

export type IdleGarbageCollectorDependencies = {
  /** True while requests are being answered, which a collection would delay. */
  readonly isBusy: () => boolean
  /** Returns the resident set of this process, in bytes. */
  readonly residentBytes: () => number
  /** Collects the garbage of the main thread and returns the empty pages of its heap to the operating system. */
  readonly collectGarbage: () => void
  /** Returns the free pages of the C library's heap to the operating system. */
  readonly trimHeap: () => void
  /** The times without work, in milliseconds, after which memory is returned. */
  readonly waitsMs?: readonly number[]
}

/**
 * The minimum growth in bytes of the resident set for which memory is collected. A collection stops the main thread for
 * up to 60 ms (measured with a heap of 85 MB), so it is not done for less.
 */
const worthwhileBytes = 16e6
/**
 * The first time is short, so that the memory of a burst of work is returned soon. By the end of the second time, idle
 * worker threads and converter processes have ended (`idleThreadMs`, `idleMs` of the converter pool), and the memory
 * that they used in the heap of the C library is also free.
 */
const defaultWaitsMs = [1000, 40_000]

/**
 * Creates an object that returns memory to the operating system after times without work. Without it, V8 keeps its heap
 * and the C library keeps freed memory while the server is idle: after a listing of 100,000 entries, transfers of 1 GiB
 * and a zip, an idle server occupied 305 MB, of which it used 131 MB.
 */
export function createIdleMemory({
  waitsMs = defaultWaitsMs,
  ...dependencies
}: IdleGarbageCollectorDependencies): IdleGarbageCollector {
  const { isBusy, residentBytes, collectGarbage, trimHeap } = dependencies
  /** The resident set in bytes after the last release of memory. */
  let floorBytes = residentBytes()
  const timers = waitsMs.map((waitMs) => ({ waitMs, timer: null as NodeJS.Timeout | null }))

  function release(): void {
    if (residentBytes() - floorBytes < worthwhileBytes) return
    collectGarbage()
    trimHeap()
    floorBytes = residentBytes()
  }

  return {
    noteWork() {
      for (const wait of timers) {
        if (wait.timer !== null) wait.timer.refresh()
        else
          wait.timer = setTimeout(() => {
            if (isBusy()) wait.timer?.refresh()
            else release()
          }, wait.waitMs).unref()
      }
    },
    stop() {
      for (const { timer } of timers) if (timer !== null) clearTimeout(timer)
    },
  }
}

/**
 * Returns the garbage collector of the main thread. V8 provides it only to contexts that are created after the flag was
 * set.
 */
export function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as (options: object) => void
  return () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
