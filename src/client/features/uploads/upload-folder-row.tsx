import { CircleCheck, Folder, Pause, Play, RefreshCw, X } from 'lucide'
import { formatCount } from '../../i18n/locale.ts'
import { formatPercent } from '../../i18n/later-formats.ts'
import { t } from '../../i18n/translate.ts'
import { uploads } from '../../operations/uploads.ts'
import { Link } from '../../router/link.tsx'
import { filesUrl } from '../../router/router.ts'
import { showInFolder } from '../../router/show-in-folder.ts'
import { isCancellable, type UploadState } from '../../state/upload-job.ts'
import { FileName } from '../../ui/file-name.tsx'
import { FilePicture } from '../../ui/file-picture.tsx'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { DismissButton, doubleClickMs } from './dismiss-button.tsx'
import { shownCountsOf } from './shown-counts.ts'
import { type FolderProgress, progressOf, type UploadFolder } from './upload-folders.ts'
import styles from './uploads.module.css'

type FolderRowProps = { readonly folder: UploadFolder; readonly progress: FolderProgress }

/** Renders an uploaded folder: its name, how many of its files are uploaded, and buttons that apply to all of them. */
export function UploadFolderRow({ folder }: Pick<FolderRowProps, 'folder'>) {
  const { name, path } = folder
  const progress = progressOf(folder)
  const isOnServer = progress.counts.done > 0
  return (
    <div className={styles.row} data-state={progress.isPending ? 'uploading' : 'done'}>
      <FilePicture name={name} isFolder isLink={false} isBroken={false} type="" />
      <div className={styles.what}>
        {isOnServer ? (
          <Link to={filesUrl(path, true)} className={styles.link}>
            <FileName name={name} />
          </Link>
        ) : (
          <FileName name={name} />
        )}
        <FolderState folder={folder} progress={progress} />
      </div>
      <FolderButtons folder={folder} progress={progress} />
    </div>
  )
}

/** Renders how many of the files are uploaded, with a bar while others are still being sent. */
function FolderState({ folder, progress }: FolderRowProps) {
  const { fraction, isPending, isPaused } = progress
  const { failed } = progress.counts
  const { unit, total, done, cancelled, skipped } = shownCountsOf(progress)
  const text = [
    isPaused && t('uploads.state.paused'),
    total > 0 && t(`uploads.${unit}.inside`, { count: total, done: formatCount(done) }),
    failed > 0 && t('uploads.outcome.failed', { count: failed }),
    cancelled > 0 && t('uploads.outcome.cancelled', { count: cancelled }),
    skipped > 0 && t('uploads.outcome.skipped', { count: skipped }),
  ]
    .filter((part) => part !== false)
    .join(' · ')
  if (!isPending)
    return (
      <span className={styles.muted}>
        {progress.total > 0 && progress.counts.done === progress.total && (
          <Icon icon={CircleCheck} size={14} className={styles.fine} />
        )}
        {text}
      </span>
    )
  return (
    <span className={styles.progress}>
      {text}
      <span className={styles.measure}>
        <ProgressBar label={visibleName(folder.name)} fraction={fraction} />
        <span className={styles.percent}>{formatPercent(fraction)}</span>
      </span>
    </span>
  )
}

/** Renders the two places for buttons, like those of a single upload. */
function FolderButtons({ folder, progress }: FolderRowProps) {
  const { counts, isPending, isPaused } = progress
  const { path, jobs } = folder
  const name = visibleName(folder.name)
  const idsOf = (...states: readonly UploadState[]) =>
    jobs.filter(({ state }) => states.includes(state)).map(({ id }) => id)
  if (isPending)
    return (
      <>
        <IconButton
          icon={isPaused ? Play : Pause}
          label={t(isPaused ? 'uploads.resumeOne' : 'uploads.pauseOne', { name })}
          onClick={({ detail }) => {
            // The second click of a double click was not meant for the new meaning.
            if (detail >= 2) return
            if (isPaused) uploads.resume(idsOf('paused'))
            else uploads.pause(idsOf('queued', 'uploading'))
          }}
        />
        <IconButton
          icon={X}
          label={t('uploads.cancelOne', { name })}
          onClick={() => uploads.cancel(jobs.filter(isCancellable).map(({ id }) => id))}
        />
      </>
    )
  const hasCancelled = counts.cancelled > 0
  return (
    <>
      {hasCancelled && (
        <IconButton
          icon={RefreshCw}
          label={t('uploads.retryOne', { name })}
          onClick={({ detail }) => {
            if (detail < 2) uploads.retry(idsOf('cancelled'))
          }}
        />
      )}
      {hasCancelled ? (
        <DismissButton
          name={folder.name}
          ignoredMs={doubleClickMs}
          onDismiss={() => uploads.dismiss(jobs.map(({ id }) => id))}
        />
      ) : (
        counts.done > 0 && (
          <IconButton
            icon={Folder}
            label={t('uploads.revealOne', { name })}
            onClick={() => showInFolder(path)}
          />
        )
      )}
    </>
  )
}
