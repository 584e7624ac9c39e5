/** The displayed speed, smoothed over 10 s, and the remaining time, which changes at most every 2 s (ux 2.10). */
export type UploadRate = {
  readonly bytesPerSecond: number
  readonly secondsLeft: number | null
}

export const noRate: UploadRate = { bytesPerSecond: 0, secondsLeft: null }

const smoothingMs = 10_000
const refreshMs = 2000

type ProgressSample = { readonly sentBytes: number; readonly totalBytes: number }

/**
 * Creates a function that takes a sample of the progress at any interval and returns the rate to display. Null instead
 * of a sample resets the rate.
 */
export function createUploadRate(nowMs: () => number): (sample: ProgressSample | null) => UploadRate {
  let lastMs = 0
  let lastSent = 0
  let shownAtMs = 0
  let speed: number | null = null
  let shown = noRate

  function reset(): UploadRate {
    lastMs = 0
    speed = null
    shown = noRate
    return shown
  }

  return (sample) => {
    if (sample === null) return reset()
    const now = nowMs()
    if (lastMs === 0) {
      lastMs = now
      lastSent = sample.sentBytes
      return shown
    }
    const elapsedMs = now - lastMs
    if (elapsedMs < 100) return shown
    // A failed or cancelled job lowers the sum of sent bytes, but the speed must never become negative.
    const current = (Math.max(0, sample.sentBytes - lastSent) / elapsedMs) * 1000
    const weight = 1 - Math.exp(-elapsedMs / smoothingMs)
    speed = speed === null ? current : speed + (current - speed) * weight
    lastMs = now
    lastSent = sample.sentBytes
    if (now - shownAtMs < refreshMs && shown !== noRate) return shown
    shownAtMs = now
    const left = sample.totalBytes - sample.sentBytes
    shown = { bytesPerSecond: speed, secondsLeft: speed > 0 ? Math.ceil(left / speed) : null }
    return shown
  }
}
