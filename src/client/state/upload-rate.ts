/** Speed and time left as shown: smoothed over ten seconds, the time left changing at most every two (ux 2.10). */
export type UploadRate = {
  readonly bytesPerSecond: number
  readonly secondsLeft: number | null
}

export const noRate: UploadRate = { bytesPerSecond: 0, secondsLeft: null }

const smoothingMs = 10_000
const steadyMs = 2000

type Sample = { readonly sentBytes: number; readonly totalBytes: number }

/** Feed it what has been sent so far, as often as you like; it answers what to show. */
export function createUploadRate(nowMs: () => number): (sample: Sample | null) => UploadRate {
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
    // A job that failed or was cancelled takes its bytes out of the sum: that is no speed.
    const current = (Math.max(0, sample.sentBytes - lastSent) / elapsedMs) * 1000
    const weight = 1 - Math.exp(-elapsedMs / smoothingMs)
    speed = speed === null ? current : speed + (current - speed) * weight
    lastMs = now
    lastSent = sample.sentBytes
    if (now - shownAtMs < steadyMs && shown !== noRate) return shown
    shownAtMs = now
    const left = sample.totalBytes - sample.sentBytes
    shown = { bytesPerSecond: speed, secondsLeft: speed > 0 ? Math.ceil(left / speed) : null }
    return shown
  }
}
