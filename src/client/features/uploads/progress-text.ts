import { formatCount, formatPercent, formatSize } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { wantedOf } from '../../state/upload-job.ts'
import type { UploadSummary } from '../../state/uploads.ts'

/** `12 of 340`: how many are there of those that were wanted. */
export const countText = ({ tally }: UploadSummary): string =>
  t('uploads.count', { done: formatCount(tally.counts.done), total: formatCount(wantedOf(tally)) })

/** `42% · 18 MB/s · about 3 min left`, as far as it is known. */
export function progressText({ percent, rate }: UploadSummary): string {
  const parts = [formatPercent(percent / 100)]
  if (rate.bytesPerSecond > 0) parts.push(t('uploads.speed', { size: formatSize(rate.bytesPerSecond) }))
  if (rate.secondsLeft !== null) parts.push(timeLeft(rate.secondsLeft))
  return parts.join(' · ')
}

function timeLeft(seconds: number): string {
  if (seconds < 60) return t('uploads.left.seconds')
  const minutes = Math.ceil(seconds / 60)
  return minutes < 100
    ? t('uploads.left.minutes', { count: minutes })
    : t('uploads.left.hours', { count: Math.ceil(minutes / 60) })
}
