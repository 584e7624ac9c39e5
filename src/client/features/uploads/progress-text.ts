import { formatCount, formatPercent, formatSize } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import type { UploadPreparation } from '../../operations/uploads.ts'
import { totalJobsOf } from '../../state/upload-job.ts'
import type { UploadSummary } from '../../state/upload-summary.ts'

/** Returns the line of the closed tray: what happens now, or how the uploads have ended. */
export function headlineOf(summary: UploadSummary, prepared: UploadPreparation): string {
  if (prepared.isWaiting) return t('uploads.waiting')
  if (prepared.files > 0) return t('uploads.preparing', { count: prepared.files })
  if (!summary.isRunning) return outcomeText(summary)
  const isWaiting = summary.jobs.some((job) => job.isWaiting && job.state === 'uploading')
  const state = summary.isPaused
    ? t('uploads.state.paused')
    : summary.isHeld
      ? t('uploads.paused')
      : isWaiting
        ? t('uploads.waiting')
        : progressText(summary)
  const { failed } = summary.tally.counts
  const failures = failed > 0 ? ` · ${t('uploads.outcome.failed', { count: failed })}` : ''
  return `${countText(summary)} · ${state}${failures}`
}

/** Returns how many jobs ended in which way, for example `3 uploaded · 1 cancelled`. */
function outcomeText(summary: UploadSummary): string {
  const { done, failed, cancelled, skipped } = summary.tally.counts
  if (failed + cancelled + skipped === 0) return `${countText(summary)} · ${t('uploads.state.done')}`
  return [
    done > 0 && t('uploads.outcome.done', { count: done }),
    failed > 0 && t('failed.upload', { count: failed }),
    cancelled > 0 && t('uploads.outcome.cancelled', { count: cancelled }),
    skipped > 0 && t('uploads.outcome.skipped', { count: skipped }),
  ]
    .filter((part) => part !== false)
    .join(' · ')
}

/** Returns the number of uploaded jobs and the number of all jobs, for example `12 of 340`. */
const countText = ({ tally }: UploadSummary): string =>
  t('uploads.count', { done: formatCount(tally.counts.done), total: formatCount(totalJobsOf(tally)) })

/** Returns the progress as text, for example `42% · 18 MB/s · about 3 min left`. Unknown parts are omitted. */
function progressText({ percent, rate }: UploadSummary): string {
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
