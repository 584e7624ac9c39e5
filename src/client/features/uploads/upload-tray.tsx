import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'
import {
  ChevronDown,
  CircleAlert,
  CircleCheck,
  CircleHelp,
  CloudOff,
  Info,
  Lock,
  Pause,
  Play,
  X,
} from 'lucide'
import { t } from '../../i18n/translate.ts'
import type { UploadPreparation } from '../../operations/uploads.ts'
import { uploads } from '../../operations/uploads.ts'
import { filesUrl, navigate } from '../../router/router.ts'
import { openFolder } from '../../state/open-folder.ts'
import { useStore } from '../../state/store.ts'
import type { UploadSummary } from '../../state/upload-summary.ts'
import { Button } from '../../ui/button.tsx'
import { Icon, type IconDrawing } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { publishHeight } from '../../ui/root/publish-height.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { useRootMark } from '../../ui/root/use-root-mark.ts'
import { headlineOf, isWaitingAlone, lineOf } from './progress-text.ts'
import { trayRowsOf } from './upload-folders.ts'
import { UploadFooter } from './upload-footer.tsx'
import { UploadRows } from './upload-rows.tsx'
import { useAutoDismiss } from './use-auto-dismiss.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import styles from './uploads.module.css'

type UploadTrayProps = { readonly summary: UploadSummary; readonly prepared: UploadPreparation }

/**
 * Shows the progress of all uploads. The closed tray says in words what happens, and the open tray has a row for each
 * upload. The first failure opens the tray. A user who closes it then is not disturbed by further failures.
 */
export function UploadTray({ summary, prepared }: UploadTrayProps) {
  const [isOpen, setOpen] = useState(false)
  const pill = useRef<HTMLButtonElement>(null)
  const hasFailures = summary.failures > 0
  const [hadFailures, setHadFailures] = useState(false)
  if (hasFailures !== hadFailures) {
    setHadFailures(hasFailures)
    if (hasFailures) setOpen(true)
  }
  const isOver = !summary.isRunning && prepared.files === 0
  const stayListeners = useAutoDismiss(!isOpen && isOver && !hasFailures)
  const focusListeners = useKeptFocus(pill)
  const headline = headlineOf(summary, prepared)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return
    event.preventDefault()
    setOpen(false)
    pill.current?.focus()
  }
  // With failures, the open tray only closes. The second click of a double click does not remove the failures either.
  const onDismiss = ({ detail }: MouseEvent): void => {
    if (isOpen && hasFailures) setOpen(false)
    else if (!hasFailures || detail < 2) uploads.clear('all')
  }
  // The style sheet keeps the last rows above the tray.
  useRootMark('tray', '')
  const listeners = { onKeyDown, ...stayListeners, ...focusListeners }
  return (
    <section
      ref={publishTrayHeight}
      className={styles.tray}
      aria-label={t('uploads.title')}
      data-part="uploads"
      data-region
      data-open={isOpen || undefined}
      {...listeners}
    >
      <div className={styles.bar}>
        <button
          ref={pill}
          type="button"
          className={styles.pill}
          aria-expanded={isOpen}
          aria-label={`${t(isOpen ? 'uploads.hide' : 'uploads.show')}: ${lineOf(headline)}`}
          onClick={() => setOpen(!isOpen)}
        >
          <TrayIcon summary={summary} prepared={prepared} />
          <span className={styles.headline}>
            <span className={styles.title}>{headline.title}</span>
            {headline.details !== '' && <span className={styles.details}>{headline.details}</span>}
          </span>
          <Icon icon={ChevronDown} size={16} className={isOpen ? '' : styles.upward} />
        </button>
        {summary.isRunning && (
          // The same button pauses and resumes, so that it keeps the focus.
          <IconButton
            icon={summary.isPaused ? Play : Pause}
            label={t(summary.isPaused ? 'uploads.resumeAll' : 'uploads.pauseAll')}
            onClick={() => (summary.isPaused ? uploads.resume('all') : uploads.pause('all'))}
          />
        )}
        {isOver && <ShowTarget jobs={summary.jobs} />}
        {isOver && <IconButton icon={X} label={t('uploads.dismiss')} onClick={onDismiss} />}
        {summary.isRunning && (
          <span className={styles.track} aria-hidden>
            <span
              className={styles.meter}
              style={{ inlineSize: `${summary.percent}%` }}
              data-phase={summary.phase}
            />
          </span>
        )}
      </div>
      {isOpen && <UploadList jobs={summary.jobs} isOver={isOver} />}
    </section>
  )
}

/** Renders the rows of the open tray and the buttons below them. The rows are computed once for both. */
function UploadList({ jobs, isOver }: Pick<UploadSummary, 'jobs'> & { readonly isOver: boolean }) {
  const rows = trayRowsOf(jobs)
  return (
    <>
      <UploadRows rows={rows} />
      <UploadFooter jobs={jobs} rows={rows} isOver={isOver} />
    </>
  )
}

/** Renders the button that opens the folder into which the files were uploaded, unless it is on screen. */
function ShowTarget({ jobs }: Pick<UploadSummary, 'jobs'>) {
  const open = useStore(openFolder)?.folder
  const done = jobs.filter(({ state }) => state === 'done')
  const target = done.at(-1)?.target
  if (target === undefined || done.some((job) => job.target === open)) return null
  return (
    <Button kind="quiet" className={styles.showTarget} onClick={() => navigate(filesUrl(target, true))}>
      {t('buttons.show')}
    </Button>
  )
}

/** Publishes the height of the tray, so that the notices are placed above the tray. */
const publishTrayHeight = (tray: HTMLElement): (() => void) =>
  publishHeight(tray, { '--tray-height': (heightPx) => `${heightPx}px` })

const iconOfPhase = {
  paused: Pause,
  waiting: CloudOff,
  held: Lock,
  deciding: CircleHelp,
} as const satisfies Readonly<Record<string, IconDrawing>>

function TrayIcon({ summary, prepared }: UploadTrayProps) {
  if (isWaitingAlone(summary, prepared)) return <Icon icon={CloudOff} />
  if (prepared.files > 0 || summary.phase === 'uploading') return <Spinner />
  if (summary.phase !== 'over') return <Icon icon={iconOfPhase[summary.phase]} />
  if (summary.failures > 0) return <Icon icon={CircleAlert} className={styles.failed} />
  return summary.tally.counts.done > 0 ? (
    <Icon icon={CircleCheck} className={styles.fine} />
  ) : (
    <Icon icon={Info} />
  )
}
