import { useEffect, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { uploads } from '../../operations/uploads.ts'
import type { UploadSummary } from '../../state/upload-queue.ts'
import { prompt } from '../../state/prompt.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { countText, progressText } from './progress-text.ts'
import { UploadRows } from './upload-rows.tsx'
import styles from './uploads.module.css'

type UploadTrayProps = { readonly summary: UploadSummary; readonly prepared: number }

/**
 * The delay between the end of all uploads and the removal of the tray, in milliseconds. The tray is removed because it
 * covers part of the listing.
 */
const autoDismissMs = 10_000

/**
 * Shows the progress of all uploads. The closed tray is one line, and the open tray has a row for each upload. A
 * failure opens the tray.
 */
export function UploadTray({ summary, prepared }: UploadTrayProps) {
  const [isOpen, setOpen] = useState(false)
  const { failed } = summary.tally.counts
  const [seenFailures, setSeenFailures] = useState(0)
  if (failed !== seenFailures) {
    setSeenFailures(failed)
    if (failed > seenFailures) setOpen(true)
  }
  useAutoDismiss(!isOpen && !summary.isRunning && failed === 0 && prepared === 0)
  return (
    <section
      className={styles.tray}
      aria-label={t('uploads.title')}
      data-part="uploads"
      data-open={isOpen || undefined}
    >
      <div className={styles.bar}>
        <button
          type="button"
          className={styles.pill}
          aria-expanded={isOpen}
          aria-label={`${t(isOpen ? 'uploads.hide' : 'uploads.show')}: ${headline(summary, prepared)}`}
          onClick={() => setOpen(!isOpen)}
        >
          <TrayIcon summary={summary} isPreparing={prepared > 0} />
          <span className={styles.headline}>{headline(summary, prepared)}</span>
          <Icon name="chevron-down" size={16} className={isOpen ? '' : styles.upward} />
        </button>
        {!summary.isRunning && prepared === 0 && (
          <IconButton icon="close" label={t('uploads.dismiss')} onClick={() => uploads.clear('all')} />
        )}
      </div>
      {isOpen && (
        <>
          <UploadRows jobs={summary.jobs} />
          <div className={styles.footer}>
            <Button kind="quiet" onClick={() => uploads.clear('finished')}>
              {t('uploads.clear')}
            </Button>
            {summary.isRunning && (
              <Button
                kind="quiet"
                icon={summary.isPausedByUser ? 'play' : 'pause'}
                onClick={() => (summary.isPausedByUser ? uploads.resume('user') : uploads.pause('user'))}
              >
                {t(summary.isPausedByUser ? 'uploads.resumeAll' : 'uploads.pauseAll')}
              </Button>
            )}
            {summary.isRunning && (
              <Button kind="quiet" onClick={cancelAll}>
                {t('uploads.cancelAll')}
              </Button>
            )}
          </div>
        </>
      )}
    </section>
  )
}

/** Cancels a single upload at once, and asks before it cancels several. */
function cancelAll(): void {
  const { queued, uploading } = uploads.counts()
  if (queued + uploading > 1) prompt.set({ kind: 'cancel-uploads', count: queued + uploading })
  else uploads.cancelAll()
}

function headline(summary: UploadSummary, prepared: number): string {
  if (prepared > 0) return t('uploads.preparing', { count: prepared })
  const { failed } = summary.tally.counts
  if (summary.isPaused) return `${countText(summary)} · ${t('uploads.paused')}`
  if (summary.jobs.some(({ isWaiting, state }) => isWaiting && state === 'uploading'))
    return `${countText(summary)} · ${t('uploads.waiting')}`
  if (summary.isRunning) return `${countText(summary)} · ${progressText(summary)}`
  if (failed > 0) return t('failed.upload', { count: failed })
  return `${countText(summary)} · ${t('uploads.state.done')}`
}

function TrayIcon({
  summary,
  isPreparing,
}: {
  readonly summary: UploadSummary
  readonly isPreparing: boolean
}) {
  if (summary.isRunning || isPreparing) return <Spinner />
  return summary.tally.counts.failed > 0 ? (
    <Icon name="alert" className={styles.failed} />
  ) : (
    <Icon name="check-circle" className={styles.fine} />
  )
}

/** Removes the finished uploads and the tray after `autoDismissMs`. */
function useAutoDismiss(isOver: boolean): void {
  useEffect(() => {
    if (!isOver) return undefined
    const timer = setTimeout(() => uploads.clear('all'), autoDismissMs)
    return () => clearTimeout(timer)
  }, [isOver])
}
