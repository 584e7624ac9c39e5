import { formatCount, formatPercent, formatSize } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { totalJobsOf } from '../../state/upload-job.ts'
import type { UploadSummary } from '../../state/upload-queue.ts'

/** Returns the number of uploaded jobs and the number of all jobs, for example `12 of 340`. */
export const countText = ({ tally }: UploadSummary): string =>
  t('uploads.count', { done: formatCount(tally.counts.done), total: formatCount(totalJobsOf(tally)) })

/** Returns the progress as text, for example `42% · 18 MB/s · about 3 min left`. Unknown parts are omitted. */
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
