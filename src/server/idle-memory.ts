import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Gives memory that the process no longer uses back to the system while the server is idle. */
export type IdleMemory = {
  /** Notes that work was done. Cheap enough to be called for each request. */
  noteWork(): void
  stop(): void
}

export type IdleMemoryDependencies = {
  /** True while requests are being answered, which a collection would delay. */
  readonly isBusy: () => boolean
  /** Returns the resident set of this process, in bytes. */
  readonly residentBytes: () => number
  /** Collects the garbage of the main thread, and returns the empty pages of its heap to the system. */
  readonly collectGarbage: () => void
  /** Returns the free pages of the C library's heap to the system. */
  readonly trimHeap: () => void
  /** The waits without work, in ms, after which memory is given back. */
  readonly waitsMs?: readonly number[]
}

/** A collection stops the main thread for up to 60 ms (measured at 85 MB of heap), so it has to be worth that. */
const worthwhileBytes = 16e6
/**
 * The first wait is short, so that the memory of a burst is not held for long. By the second one, idle worker threads and image
 * processes have ended (`idleThreadMs`, `idleMs` of the converters), and what they held in the heap of the C library is free too.
 */
const defaultWaitsMs = [1000, 40_000]

/**
 * Watches for moments without work. V8 keeps the heap of a burst and the C library keeps freed memory for as long as nothing
 * happens: after a listing of 100,000 entries, transfers of 1 GiB and a zip, an idle server held 305 MB, of which it used 131 MB.
 */
export function createIdleMemory({
  waitsMs = defaultWaitsMs,
  ...dependencies
}: IdleMemoryDependencies): IdleMemory {
  const { isBusy, residentBytes, collectGarbage, trimHeap } = dependencies
  /** What the process held when nothing was left to give back. */
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

/** Returns the garbage collector of the main thread. V8 offers it only to contexts that are made after the flag was set. */
export function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as (options: object) => void
  return () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
