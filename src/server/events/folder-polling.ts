import type { Timer } from '../concurrency/later.ts'

type PollingOptions = {
  readonly fingerprint: () => Promise<string | null>
  /** Called once when the folder was read for the first time. Changes are noticed from then on. */
  readonly onStart: () => void
  readonly onChange: () => void
  /**
   * The fingerprint that the first one is compared with. Without it, the first fingerprint does not count as a change.
   */
  readonly lastFingerprint?: string | undefined
  readonly later: Timer
}

/** The time between two checks of a folder that has just changed or was just opened, in milliseconds. */
const minIntervalMs = 1000
/** The longest time between two checks. The interval doubles while a folder stays the same. */
const maxIntervalMs = 60_000

/** Compares a folder's fingerprint from time to time. Returns a function that stops. */
export function startPolling({
  fingerprint,
  onStart,
  onChange,
  lastFingerprint,
  later,
}: PollingOptions): () => void {
  let isStopped = false
  let last = lastFingerprint ?? null
  let intervalMs = 0
  let cancel = later(0, () => void look())

  async function look(): Promise<void> {
    const now = await fingerprint().catch(() => null)
    if (isStopped) return
    const hasChanged = last !== null && now !== null && now !== last
    const isFirst = intervalMs === 0
    last = now ?? last
    intervalMs = hasChanged ? minIntervalMs : Math.min(Math.max(intervalMs * 2, minIntervalMs), maxIntervalMs)
    if (isFirst) onStart()
    if (hasChanged) onChange()
    cancel = later(intervalMs, () => void look())
  }

  return () => {
    isStopped = true
    cancel()
  }
}
