import { useEffect, useRef, useState, type RefObject } from 'react'
import { CircleAlert, CircleCheck, Info, X } from 'lucide'
import { t } from '../i18n/translate.ts'
import { announce } from '../state/announcements.ts'
import { dismiss, notices, type Notice } from '../state/notices.ts'
import { session } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon, type IconDrawing } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { publishHeight } from '../ui/root/publish-height.ts'
import { Spinner } from '../ui/spinner.tsx'
import { useNoticePlace } from './use-notice-place.ts'
import styles from './toasts.module.css'

/**
 * Renders the notices on screen. `reportAddress` is the address of the page for reporting a failure, or null when
 * reporting is switched off.
 */
export function Toasts({ reportAddress }: { readonly reportAddress: string | null }) {
  const shown = useStore(notices)
  const region = useRef<HTMLElement>(null)
  const { edge, isCovered } = useNoticePlace(region, shown.at(-1)?.id ?? 0)
  useRoomForNotices(region, edge)
  // The dialog for the login comes first: until then, nobody reads or uses what belongs to the session that has ended.
  const isInert = useStore(session).kind === 'ended' || isCovered
  return (
    <section
      ref={region}
      className={classNames(styles.region, isInert && styles.covered)}
      inert={isInert}
      aria-label={t('shell.notices')}
      data-edge={edge}
      data-part="notices"
      // An open dialog leaves the notices visible to screen readers, and does not close when one is pressed.
      data-react-aria-top-layer="true"
      data-region={!isInert && shown.some(hasControls) ? '' : undefined}
      tabIndex={-1}
    >
      {shown.map((notice) => (
        <Toast key={notice.id} notice={notice} reportAddress={reportAddress} isInert={isInert} />
      ))}
    </section>
  )
}

/**
 * Returns the CSS length that a dialog leaves free at the lower edge of the window for notices of the given height, beyond
 * its own margin. Dialogs give up to a quarter of the window's height for the notices, and otherwise lie over them.
 */
const roomAtBottom = (heightPx: number): string =>
  `min(25dvh, ${heightPx}px + var(--stack-bottom) - var(--space-16) + max(var(--tray-height, 0px), var(--hints-top, 0px)))`

/** Publishes the room that the notices take at their edge of the window, so that an open dialog leaves it free. */
function useRoomForNotices(region: RefObject<HTMLElement | null>, edge: 'bottom' | 'top'): void {
  useEffect(() => {
    if (region.current === null) return undefined
    return publishHeight(region.current, {
      [`--notices-${edge}`]: edge === 'top' ? (heightPx) => `${heightPx}px` : roomAtBottom,
    })
  }, [region, edge])
}

/** Returns true for a notice with buttons. F6 leads only to such notices, because all others disappear by themselves. */
const hasControls = ({ kind, action }: Notice): boolean => kind === 'failure' || action !== undefined

/** Returns the icon of a notice. Notices about changes by other users get the neutral icon. */
const iconOf = ({ kind }: Notice): IconDrawing =>
  kind === 'failure' ? CircleAlert : kind === 'news' ? Info : CircleCheck

type ToastProps = {
  readonly notice: Notice
  readonly reportAddress: string | null
  /**
   * True while a dialog or menu lies over the notices, and while the session has ended. The display time of a notice
   * begins when the notice can be used.
   */
  readonly isInert: boolean
}

function Toast({ notice, reportAddress, isInert }: ToastProps) {
  const [isHeld, setHeld] = useState(false)
  const isFailure = notice.kind === 'failure'
  const { action } = notice
  useTimeout(notice, isHeld || isInert)
  useSpoken(notice)
  const close = (): void => dismiss(notice.id)
  return (
    <div
      className={classNames(styles.toast, isFailure && styles.failure)}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {notice.kind === 'working' ? (
        <Spinner className={styles.turning} />
      ) : (
        <Icon icon={iconOf(notice)} className={styles.icon} />
      )}
      <div className={styles.text}>
        {notice.text}
        {notice.details && <Details lines={notice.details} />}
      </div>
      <div className={styles.actions}>
        {action && (
          <Button
            kind="quiet"
            className={styles.action}
            onClick={() => {
              close()
              action.run()
            }}
          >
            {action.label}
          </Button>
        )}
        {isFailure && reportAddress !== null && (
          <a className={styles.report} href={reportAddress} target="_blank" rel="noopener noreferrer">
            {t('buttons.report')}
          </a>
        )}
        {hasControls(notice) && <IconButton icon={X} label={t('buttons.close')} onClick={close} />}
      </div>
    </div>
  )
}

const Details = ({ lines }: { readonly lines: readonly string[] }) => (
  <details className={styles.details}>
    <summary>{t('notices.details')}</summary>
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  </details>
)

/** Dismisses the notice after `stayMs`. The time starts again when the pointer or the focus leaves the notice. */
function useTimeout({ id, stayMs }: Notice, isHeld: boolean): void {
  useEffect(() => {
    if (stayMs === null || isHeld) return undefined
    const timer = setTimeout(() => dismiss(id), stayMs)
    return () => clearTimeout(timer)
  }, [id, stayMs, isHeld])
}

/** Announces the notice to screen readers once. */
function useSpoken({ id, text, spoken = text, kind }: Notice): void {
  const spokenId = useRef<number | null>(null)
  useEffect(() => {
    if (spokenId.current === id) return
    spokenId.current = id
    announce(spoken, kind === 'failure' ? 'assertive' : 'polite')
  }, [id, spoken, kind])
}
