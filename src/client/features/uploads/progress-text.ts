import { formatSize } from '../../i18n/format.ts'
import { formatPercent } from '../../i18n/later-formats.ts'
import { t } from '../../i18n/translate.ts'
import type { UploadPreparation } from '../../operations/uploads.ts'
import type { UploadSummary } from '../../state/upload-summary.ts'
import { shownCountsOf } from './shown-counts.ts'

/** The text of the closed tray: what happens now, for example `Uploading 12 files · 3 done`, and the details of it. */
export type TrayHeadline = {
  readonly title: string
  /** For example `42% · 18 MB/s · about 3 min left`. Empty when there are no details. */
  readonly details: string
}

/** Returns what the closed tray says: what happens now, or how the uploads have ended. */
export function headlineOf(summary: UploadSummary, prepared: UploadPreparation): TrayHeadline {
  if (isWaitingAlone(summary, prepared)) return { title: t('uploads.waiting'), details: '' }
  if (prepared.files > 0 && !prepared.isWaiting)
    return { title: t('uploads.preparing', { count: prepared.files }), details: '' }
  if (summary.phase === 'over') return outcomeOf(summary)
  const { failures } = summary
  const { unit, total, done } = shownCountsOf(summary.tally)
  return {
    title: joined([
      t(`uploads.${unit}.${summary.phase}`, { count: total }),
      done > 0 && t('uploads.phase.done', { count: done }),
      failures > 0 && t('uploads.outcome.failed', { count: failures }),
    ]),
    details: joined(progressParts(summary)),
  }
}

/** Returns true when chosen files cannot be compared with the server, and no other file is being uploaded. */
export const isWaitingAlone = ({ phase }: UploadSummary, { isWaiting }: UploadPreparation): boolean =>
  isWaiting && phase !== 'uploading'

/** Returns the headline as one line, for screen readers. */
export const lineOf = ({ title, details }: TrayHeadline): string => joined([title, details])

/** Returns how many files ended in which way, for example `2 failed` and `3 uploaded · 1 cancelled`. Failures come first. */
function outcomeOf(summary: UploadSummary): TrayHeadline {
  const { failures } = summary
  const { unit, done, cancelled, skipped } = shownCountsOf(summary.tally)
  if (failures + cancelled + skipped === 0)
    return { title: t(`uploads.${unit}.over`, { count: done }), details: '' }
  const [title = '', ...others] = [
    failures > 0 && t('uploads.outcome.failed', { count: failures }),
    done > 0 && t('uploads.outcome.done', { count: done }),
    cancelled > 0 && t('uploads.outcome.cancelled', { count: cancelled }),
    skipped > 0 && t('uploads.outcome.skipped', { count: skipped }),
  ].filter((part) => part !== false)
  return { title, details: joined(others) }
}

/** Returns the progress, for example `42%`, `18 MB/s` and `about 3 min left`. Unknown parts are omitted. */
function progressParts({ phase, percent, rate }: UploadSummary): readonly (string | false)[] {
  const isMoving = phase === 'uploading'
  return [
    formatPercent(percent / 100),
    isMoving && rate.bytesPerSecond > 0 && t('uploads.speed', { size: formatSize(rate.bytesPerSecond) }),
    isMoving && rate.secondsLeft !== null && timeLeft(rate.secondsLeft),
  ]
}

const joined = (parts: readonly (string | false)[]): string =>
  parts.filter((part) => part !== false && part !== '').join(' · ')

function timeLeft(seconds: number): string {
  // The seconds are rounded up to 5, because the text changes only every 2 s.
  if (seconds <= 55) return t('uploads.left.seconds', { count: Math.max(1, Math.ceil(seconds / 5)) * 5 })
  const minutes = Math.ceil(seconds / 60)
  return minutes < 100
    ? t('uploads.left.minutes', { count: minutes })
    : t('uploads.left.hours', { count: Math.ceil(minutes / 60) })
}
