import { t } from '../../i18n/translate.ts'
import { cancelAllUploads, countCancellable, uploads } from '../../operations/uploads.ts'
import { prompt } from '../../state/prompt.ts'
import { canRetry, isClearable, type UploadJob } from '../../state/upload-job.ts'
import { Button } from '../../ui/button.tsx'
import { idsInPendingFolders, type TrayRow } from './upload-folders.ts'
import styles from './uploads.module.css'

type UploadFooterProps = {
  readonly jobs: readonly UploadJob[]
  /** The rows of the tray, which contain the jobs. */
  readonly rows: readonly TrayRow[]
  readonly isOver: boolean
}

/**
 * Renders the buttons that apply to several uploads. At least one of them is shown at any time, and they stay on one
 * line, so that the height of the tray does not change while files arrive.
 */
export function UploadFooter({ jobs, rows, isOver }: UploadFooterProps) {
  const retriable = jobs.filter((job) => job.state === 'failed' && canRetry(job))
  const kept = idsInPendingFolders(rows)
  const hasFinished = jobs.some((job) => isClearable(job, 'finished') && !kept.has(job.id))
  const clearable = hasFinished ? 'finished' : isOver ? 'all' : null
  return (
    <div className={styles.footer}>
      {clearable !== null && (
        <Button kind="quiet" onClick={() => uploads.clear(clearable, kept)}>
          {t(clearable === 'all' ? 'uploads.clearAll' : 'uploads.clear')}
        </Button>
      )}
      {retriable.length > 1 && (
        <Button kind="quiet" onClick={() => uploads.retry(retriable.map(({ id }) => id))}>
          {t('buttons.retryFailed')}
        </Button>
      )}
      {!isOver && (
        <Button kind="quiet" className={styles.cancelAll} onClick={cancelAll}>
          {t('uploads.cancelAll')}
        </Button>
      )}
    </div>
  )
}

/** Cancels a single upload at once, and asks before it cancels several. */
function cancelAll(): void {
  if (countCancellable() > 1) prompt.set({ kind: 'cancel-uploads' })
  else cancelAllUploads()
}
