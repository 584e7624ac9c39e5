import { useEffect, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { cancelAllUploads, preparation, type UploadPreparation, uploads } from '../../operations/uploads.ts'
import { canRetry, isClearable } from '../../state/upload-job.ts'
import type { UploadSummary } from '../../state/upload-summary.ts'
import { prompt } from '../../state/prompt.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { headlineOf } from './progress-text.ts'
import { UploadRows } from './upload-rows.tsx'
import styles from './uploads.module.css'

type UploadTrayProps = { readonly summary: UploadSummary; readonly prepared: UploadPreparation }

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
  const isOver = !summary.isRunning && prepared.files === 0
  useAutoDismiss(!isOpen && isOver && failed === 0)
  const retriable = isOpen ? summary.jobs.filter((job) => job.state === 'failed' && canRetry(job)) : []
  const headline = headlineOf(summary, prepared)
  return (
    <section
      ref={publishHeight}
      className={styles.tray}
      aria-label={t('uploads.title')}
      data-part="uploads"
      data-region
      data-open={isOpen || undefined}
    >
      <div className={styles.bar}>
        <button
          type="button"
          className={styles.pill}
          aria-expanded={isOpen}
          aria-label={`${t(isOpen ? 'uploads.hide' : 'uploads.show')}: ${headline}`}
          onClick={() => setOpen(!isOpen)}
        >
          <TrayIcon summary={summary} isOver={isOver} />
          <span className={styles.headline}>{headline}</span>
          <Icon name="chevron-down" size={16} className={isOpen ? '' : styles.upward} />
        </button>
        {isOver && (
          <IconButton icon="close" label={t('uploads.dismiss')} onClick={() => uploads.clear('all')} />
        )}
      </div>
      {isOpen && (
        <>
          <UploadRows jobs={summary.jobs} />
          <div className={styles.footer}>
            {summary.jobs.some((job) => isClearable(job, 'finished')) && (
              <Button kind="quiet" onClick={() => uploads.clear('finished')}>
                {t('uploads.clear')}
              </Button>
            )}
            {retriable.length > 1 && (
              <Button
                kind="quiet"
                icon="refresh"
                onClick={() => retriable.forEach(({ id }) => uploads.retry(id))}
              >
                {t('buttons.retryFailed')}
              </Button>
            )}
            {summary.isRunning && (
              <Button
                kind="quiet"
                icon={summary.isPaused ? 'play' : 'pause'}
                onClick={() => (summary.isPaused ? uploads.resume('all') : uploads.pause('all'))}
              >
                {t(summary.isPaused ? 'uploads.resumeAll' : 'uploads.pauseAll')}
              </Button>
            )}
            {!isOver && (
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

/** The distance between the tray and the notices above it, in CSS pixels. */
const gapPx = 8

/** Publishes the height of the tray as a property of the document, so that the notices are placed above the tray. */
function publishHeight(tray: HTMLElement): () => void {
  const { style } = document.documentElement
  const observer = new ResizeObserver(() =>
    style.setProperty('--tray-height', `${tray.offsetHeight + gapPx}px`),
  )
  observer.observe(tray)
  return () => {
    observer.disconnect()
    style.removeProperty('--tray-height')
  }
}

/** Cancels a single upload at once, and asks before it cancels several. */
function cancelAll(): void {
  const { queued, uploading, paused } = uploads.counts()
  const count = queued + uploading + paused + preparation.get().files
  if (count > 1) prompt.set({ kind: 'cancel-uploads', count })
  else cancelAllUploads()
}

function TrayIcon({ summary, isOver }: { readonly summary: UploadSummary; readonly isOver: boolean }) {
  const { done, failed } = summary.tally.counts
  if (!isOver) return summary.isPaused ? <Icon name="pause" /> : <Spinner />
  if (failed > 0) return <Icon name="alert" className={styles.failed} />
  return done > 0 ? <Icon name="check-circle" className={styles.fine} /> : <Icon name="info" />
}

/** Removes the finished uploads and the tray after `autoDismissMs`. */
function useAutoDismiss(isOver: boolean): void {
  useEffect(() => {
    if (!isOver) return undefined
    const timer = setTimeout(() => uploads.clear('all'), autoDismissMs)
    return () => clearTimeout(timer)
  }, [isOver])
}
