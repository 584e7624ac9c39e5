/** The displayed speed, smoothed over 10 s, and the remaining time, which changes at most every 2 s (ux 2.10). */
export type UploadRate = {
  readonly bytesPerSecond: number
  readonly secondsLeft: number | null
}

export const noRate: UploadRate = { bytesPerSecond: 0, secondsLeft: null }

const smoothingMs = 10_000
const refreshMs = 2000
/**
 * The rate is shown after this time of transfer, because the first moments of an upload say little about it. By then,
 * `minSampleBytes` or `minSampleShare` of all bytes must have been sent too: small files that have to wait for their
 * responses say nothing about the speed of the large files beside them.
 */
const warmUpMs = 3000
const minSampleBytes = 1024 * 1024
const minSampleShare = 0.05
/** After this time of transfer the rate is shown in any case: such a slow connection is measured well enough. */
const longWarmUpMs = 15_000

type ProgressSample = { readonly sentBytes: number; readonly totalBytes: number }

/**
 * Creates a function that takes a sample of the progress at any interval and returns the rate to display. Null instead
 * of a sample resets the rate.
 */
export function createUploadRate(nowMs: () => number): (sample: ProgressSample | null) => UploadRate {
  let firstMs = 0
  let firstSent = 0
  let lastMs = 0
  let lastSent = 0
  let shownAtMs = 0
  /** The average of the speed since the first sample, in which later speeds weigh more, times the sum of the weights. */
  let weighted = 0
  let shown = noRate

  function start(now: number, sentBytes: number): UploadRate {
    firstMs = now
    firstSent = sentBytes
    lastMs = now
    lastSent = sentBytes
    weighted = 0
    shown = noRate
    return shown
  }

  function isMeaningful({ sentBytes, totalBytes }: ProgressSample, now: number): boolean {
    const sampleBytes = Math.min(minSampleBytes, totalBytes * minSampleShare)
    const isLarge = sentBytes - firstSent >= sampleBytes
    return now - firstMs >= (isLarge ? warmUpMs : longWarmUpMs)
  }

  return (sample) => {
    if (sample === null) return start(0, 0)
    const now = nowMs()
    // The time before the first byte is not part of the transfer.
    if (lastMs === 0 || sample.sentBytes <= firstSent) return start(now, sample.sentBytes)
    const elapsedMs = now - lastMs
    if (elapsedMs < 100) return shown
    // A failed or cancelled job lowers the sum of sent bytes, but the speed must never become negative.
    const current = (Math.max(0, sample.sentBytes - lastSent) / elapsedMs) * 1000
    weighted += (current - weighted) * (1 - Math.exp(-elapsedMs / smoothingMs))
    lastMs = now
    lastSent = sample.sentBytes
    const isFresh = shown !== noRate && now - shownAtMs < refreshMs
    if (isFresh || (shown === noRate && !isMeaningful(sample, now))) return shown
    shownAtMs = now
    const speed = weighted / (1 - Math.exp((firstMs - now) / smoothingMs))
    const left = sample.totalBytes - sample.sentBytes
    shown = { bytesPerSecond: speed, secondsLeft: speed > 0 ? Math.ceil(left / speed) : null }
    return shown
  }
}
