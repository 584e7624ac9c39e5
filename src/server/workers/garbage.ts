import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Gc = (options: object) => void
let gcOfThread: Gc | undefined

/**
 * Returns V8's function that collects the garbage of this thread. V8 provides it only to contexts that are created after the flag
 * `--expose-gc` was set. A context takes 0.2 MB, so that there is only one.
 */
export function exposedGc(): Gc {
  setFlagsFromString('--expose-gc')
  return (gcOfThread ??= runInNewContext('gc') as Gc)
}

/** Returns a function that collects all garbage of this thread, and returns the empty pages of its heap to the system. */
export function garbageCollector(): () => void {
  const gc = exposedGc()
  return () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

function usedBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** The growth in bytes (4 MiB) after which garbage is collected, and the interval in ms at which the growth is measured. */
const [maxGrowthBytes, intervalMs] = [4 * 1024 * 1024, 100]
/**
 * The shortest time in ms between two collections that also return empty pages. Such a collection drops compiled code, too: when
 * each of them did, listings took 1.6 times the processor.
 */
const releaseIntervalMs = 1000

/**
 * Collects the garbage of this thread whenever its memory has grown, for a process with little memory. V8 itself lets a heap
 * double, and it does not count memory that threads share: the buffers of ten archives, 25 MB, waited for a collection.
 * `onReleased` is called after empty pages were returned. Returns a function that ends this.
 */
export function collectGarbageOnGrowth(onReleased: () => void = () => {}): () => void {
  const [gc, releaseMemory] = [exposedGc(), garbageCollector()]
  /** The memory after the last collection. The start of a thread leaves garbage, too. */
  let baselineBytes = 0
  let releasedAtMs = Number.NEGATIVE_INFINITY
  const timer = setInterval(() => {
    const used = usedBytes()
    // V8 and the end of a transfer free memory, too.
    baselineBytes = Math.min(baselineBytes, used)
    if (used - baselineBytes < maxGrowthBytes) return
    if (performance.now() - releasedAtMs < releaseIntervalMs) gc({ type: 'major', execution: 'sync' })
    else {
      releaseMemory()
      onReleased()
      releasedAtMs = performance.now()
    }
    baselineBytes = usedBytes()
  }, intervalMs).unref()
  return () => clearInterval(timer)
}
