import type { MouseEvent } from 'react'
import { typeOfName } from '../../../shared/domain/file-kind.ts'
import { formatPercent, formatSize } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { reasonOfFault } from '../../operations/reason.ts'
import { uploads } from '../../operations/uploads.ts'
import { canRetry, isCancellable, type UploadJob } from '../../state/upload-job.ts'
import { FileName } from '../../ui/file-name.tsx'
import { FilePicture } from '../../ui/file-picture.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import styles from './uploads.module.css'

/** Renders one upload: its name, its progress or the reason why it failed, and buttons to pause, retry or cancel it. */
export function UploadRow({ job }: { readonly job: UploadJob }) {
  const { id, name, file, state, sentBytes, sizeBytes, isWaiting } = job
  return (
    <div className={styles.row}>
      <FilePicture
        name={name}
        isFolder={file === null}
        isLink={false}
        isBroken={false}
        type={file === null ? '' : (typeOfName(name) ?? 'blob')}
      />
      <div className={styles.what}>
        <FileName name={name} />
        {(state === 'uploading' && !isWaiting) || (state === 'paused' && sentBytes > 0) ? (
          <span className={styles.progress}>
            <ProgressBar label={name} fraction={sizeBytes === 0 ? null : sentBytes / sizeBytes} />
            {state === 'paused' && t('uploads.state.paused')}
            {sizeBytes > 0 && <span className={styles.percent}>{formatPercent(sentBytes / sizeBytes)}</span>}
          </span>
        ) : (
          <span className={state === 'failed' ? styles.failed : styles.muted}>{stateText(job)}</span>
        )}
      </div>
      {canRetry(job) && (
        <IconButton
          icon="refresh"
          label={t('uploads.retryOne', { name })}
          onClick={(event) => {
            keepFocus(event)
            uploads.retry(id)
          }}
        />
      )}
      {isCancellable(job) && (
        // The same button pauses and resumes, so that it keeps the focus.
        <IconButton
          icon={state === 'paused' ? 'play' : 'pause'}
          label={t(state === 'paused' ? 'uploads.resumeOne' : 'uploads.pauseOne', { name })}
          onClick={() => (state === 'paused' ? uploads.resume(id) : uploads.pause(id))}
        />
      )}
      {isCancellable(job) && (
        <IconButton
          icon="close"
          label={t('uploads.cancelOne', { name })}
          onClick={(event) => {
            keepFocus(event)
            uploads.cancel(id)
          }}
        />
      )}
    </div>
  )
}

/** Gives the focus to the list, because the pressed button disappears. */
const keepFocus = ({ currentTarget }: MouseEvent<HTMLElement>): void =>
  currentTarget.closest<HTMLElement>('[data-part="upload-rows"]')?.focus({ preventScroll: true })

function stateText({ state, fault, file, sizeBytes, isWaiting }: UploadJob): string {
  if (state === 'failed' && fault !== null) return reasonOfFault(fault)
  const word = t(state === 'uploading' && isWaiting ? 'uploads.waiting' : `uploads.state.${state}`)
  return file === null ? word : `${word} · ${formatSize(sizeBytes)}`
}
