import { CircleCheck, Folder, Pause, Play, RefreshCw, X } from 'lucide'
import { typeOfName } from '../../../shared/domain/file-kind.ts'
import { parentOf } from '../../../shared/domain/path.ts'
import { formatSize } from '../../i18n/format.ts'
import { formatPercent } from '../../i18n/later-formats.ts'
import { t } from '../../i18n/translate.ts'
import { uploads } from '../../operations/uploads.ts'
import { Link } from '../../router/link.tsx'
import { filesUrl } from '../../router/router.ts'
import { showInFolder } from '../../router/show-in-folder.ts'
import { canRetry, isCancellable, type UploadJob } from '../../state/upload-job.ts'
import { textOfNames } from '../../ui/direction/text-of-names.ts'
import { FileName } from '../../ui/file-name.tsx'
import { FilePicture } from '../../ui/file-picture.tsx'
import { Icon, type IconDrawing } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { DismissButton, doubleClickMs } from './dismiss-button.tsx'
import { refusalOfUpload } from './refusal-of-upload.ts'
import styles from './uploads.module.css'

/**
 * Renders one upload: its name, its progress or the reason why it failed, and buttons to pause, retry, cancel or dismiss
 * it. The name of an uploaded file is a link that opens the file.
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
  const { state } = job
  if (hasProgress(job)) return <RowProgress job={job} />
  if (state === 'failed')
    return (
      <span className={styles.failed} data-part="reason">
        {refusalOfUpload(job)}
      </span>
    )
  return (
    <span className={styles.muted}>
      {state === 'done' && <Icon icon={CircleCheck} size={14} className={styles.fine} />}
      {stateText(job)}
    </span>
  )
}

/** Returns true for jobs that are being sent, and for paused and waiting jobs whose progress is kept. */
const hasProgress = ({ state, sizeBytes, sentBytes, isWaiting }: UploadJob): boolean =>
  (state === 'uploading' && (!isWaiting || sizeBytes > 0)) ||
  (state === 'paused' && sizeBytes > 0) ||
  (state === 'queued' && sentBytes > 0)

/** Renders the bar and the percentage of an upload, and in words why it does not move. */
function RowProgress({ job }: { readonly job: UploadJob }) {
  const { name, state, sentBytes, sizeBytes, isWaiting } = job
  return (
    <span className={styles.progress}>
      {state === 'uploading' ? isWaiting && t('uploads.waiting') : t(`uploads.state.${state}`)}
      <span className={styles.measure}>
        <ProgressBar label={visibleName(name)} fraction={sizeBytes === 0 ? null : sentBytes / sizeBytes} />
        {sizeBytes > 0 && <span className={styles.percent}>{formatPercent(sentBytes / sizeBytes)}</span>}
      </span>
    </span>
  )
}

/**
 * Renders the two places for buttons. The first one pauses, resumes or retries, and the second one cancels or dismisses. A
 * button never comes to the other place, where the second click of a double click would press it.
 */
function RowButtons({ job }: { readonly job: UploadJob }) {
  const { id, path, state } = job
  const name = visibleName(job.name)
  const first = firstButtonOf(job)
  return (
    <>
      {first !== null && (
        // The same button gets another meaning, so that it keeps the focus.
        <IconButton
          icon={first.icon}
          label={first.label}
          onClick={({ detail }) => {
            // The second click of a double click was not meant for the new meaning.
            if (detail < 2) first.run()
          }}
        />
      )}
      {isCancellable(job) && (
        <IconButton icon={X} label={t('uploads.cancelOne', { name })} onClick={() => uploads.cancel(id)} />
      )}
      {(state === 'failed' || state === 'cancelled') && (
        <DismissButton
          name={job.name}
          ignoredMs={state === 'cancelled' ? doubleClickMs : 0}
          onDismiss={() => uploads.dismiss(id)}
        />
      )}
      {state === 'done' && (
        <IconButton
          icon={Folder}
          label={t('uploads.revealOne', { name })}
          onClick={() => showInFolder(path)}
        />
      )}
    </>
  )
}

type FirstButton = { readonly icon: IconDrawing; readonly label: string; readonly run: () => void }

function firstButtonOf(job: UploadJob): FirstButton | null {
  const { id } = job
  const name = visibleName(job.name)
  if (canRetry(job))
    return { icon: RefreshCw, label: t('uploads.retryOne', { name }), run: () => uploads.retry(id) }
  if (!isCancellable(job)) return null
  return job.state === 'paused'
    ? { icon: Play, label: t('uploads.resumeOne', { name }), run: () => uploads.resume(id) }
    : { icon: Pause, label: t('uploads.pauseOne', { name }), run: () => uploads.pause(id) }
}

/** Returns the state of an upload, its size, and the folder inside the uploaded tree, for example `Done · 2 KB · album / inner`. */
function stateText({ state, file, sizeBytes, isWaiting, target, path }: UploadJob): string {
  const folder = parentOf(path).slice(target.length).replace(/^\//, '')
  return [
    t(state === 'uploading' && isWaiting ? 'uploads.waiting' : `uploads.state.${state}`),
    file !== null && formatSize(sizeBytes),
    folder !== '' && textOfNames(folder.split('/')),
  ]
    .filter((part) => part !== false)
    .join(' · ')
}
