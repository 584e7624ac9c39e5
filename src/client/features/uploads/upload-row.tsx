import type { MouseEvent } from 'react'
import { typeOfName } from '../../../shared/domain/file-kind.ts'
import { parentOf } from '../../../shared/domain/path.ts'
import { formatPercent, formatSize } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { uploads } from '../../operations/uploads.ts'
import { Link } from '../../router/link.tsx'
import { filesUrl } from '../../router/router.ts'
import { showInFolder } from '../../router/show-in-folder.ts'
import { canRetry, isCancellable, type UploadJob } from '../../state/upload-job.ts'
import { FileName } from '../../ui/file-name.tsx'
import { FilePicture } from '../../ui/file-picture.tsx'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { refusalOfUpload } from './refusal-of-upload.ts'
import styles from './uploads.module.css'

/**
 * Renders one upload: its name, its progress or the reason why it failed, and buttons to pause, retry or cancel it. The
 * name of an uploaded file is a link that opens the file.
 */
export function UploadRow({ job }: { readonly job: UploadJob }) {
  const { name, path, file, state } = job
  return (
    <div className={styles.row} data-state={state}>
      <FilePicture
        name={name}
        isFolder={file === null}
        isLink={false}
        isBroken={false}
        type={file === null ? '' : (typeOfName(name) ?? 'blob')}
      />
      <div className={styles.what}>
        {state === 'done' ? (
          <Link to={filesUrl(path, file === null)} className={styles.link}>
            <FileName name={name} />
          </Link>
        ) : (
          <FileName name={name} />
        )}
        <RowState job={job} />
      </div>
      <RowButtons job={job} />
    </div>
  )
}

/** Renders the progress of an upload, the reason why it failed, or its state in words. */
function RowState({ job }: { readonly job: UploadJob }) {
  const { name, state, sentBytes, sizeBytes, isWaiting } = job
  if ((state === 'uploading' && !isWaiting) || (state === 'paused' && sentBytes > 0))
    return (
      <span className={styles.progress}>
        <ProgressBar label={visibleName(name)} fraction={sizeBytes === 0 ? null : sentBytes / sizeBytes} />
        {state === 'paused' && t('uploads.state.paused')}
        {sizeBytes > 0 && <span className={styles.percent}>{formatPercent(sentBytes / sizeBytes)}</span>}
      </span>
    )
  if (state === 'failed')
    return (
      <span className={styles.failed} data-part="reason">
        {refusalOfUpload(job)}
      </span>
    )
  return (
    <span className={styles.muted}>
      {state === 'done' && <Icon name="check-circle" size={14} className={styles.fine} />}
      {stateText(job)}
    </span>
  )
}

function RowButtons({ job }: { readonly job: UploadJob }) {
  const { id, path, state } = job
  const name = visibleName(job.name)
  return (
    <>
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
      {state === 'done' && (
        <IconButton
          icon="folder"
          label={t('uploads.revealOne', { name })}
          onClick={() => showInFolder(path)}
        />
      )}
    </>
  )
}

/** Gives the focus to the list, because the pressed button disappears. */
const keepFocus = ({ currentTarget }: MouseEvent<HTMLElement>): void =>
  currentTarget.closest<HTMLElement>('[data-part="upload-rows"]')?.focus({ preventScroll: true })

/** Returns the state of an upload, its size, and the folder inside the uploaded tree, for example `Done · 2 KB · album/inner`. */
function stateText({ state, file, sizeBytes, isWaiting, target, path }: UploadJob): string {
  const folder = parentOf(path).slice(target.length).replace(/^\//, '')
  return [
    t(state === 'uploading' && isWaiting ? 'uploads.waiting' : `uploads.state.${state}`),
    file !== null && formatSize(sizeBytes),
    folder !== '' && visibleName(folder),
  ]
    .filter((part) => part !== false)
    .join(' · ')
}
