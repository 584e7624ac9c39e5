import { useEffect, useRef, useState } from 'react'
import '../i18n/later-texts.ts'
import { t } from '../i18n/translate.ts'
import { announce } from '../state/announcements.ts'
import { dismiss, notices, type Notice } from '../state/notices.ts'
import { session } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import type { IconName } from '../ui/icon-names.ts'
import { Spinner } from '../ui/spinner.tsx'
import styles from './toasts.module.css'

/**
 * Renders the notices on screen. `reportAddress` is the address of the page for reporting a failure, or null when
 * reporting is switched off.
 */
export function Toasts({ reportAddress }: { readonly reportAddress: string | null }) {
  const shown = useStore(notices)
  const layer = useLayerBelow()
  // The dialog for the login comes first: until then, nobody reads or uses what belongs to the session that has ended.
  const isCovered = useStore(session).kind === 'ended'
  return (
    <section
      ref={publishHeight}
      className={classNames(styles.region, isCovered && styles.covered)}
      inert={isCovered}
      aria-label={t('shell.notices')}
      data-below={layer ?? undefined}
      data-part="notices"
      // An open dialog leaves the notices visible to screen readers, and does not close when one is pressed.
      data-react-aria-top-layer="true"
      data-region={!isCovered && shown.some(hasControls) ? '' : undefined}
      tabIndex={-1}
    >
      {shown.map((notice) => (
        <Toast key={notice.id} notice={notice} reportAddress={reportAddress} />
      ))}
    </section>
  )
}

type Layer = 'dialog' | 'palette' | 'menu'

/**
 * Returns the kind of the layer that is open below the notices, or null. Layers are children of the body. A style rule for
 * the whole document would be evaluated again for each row that is inserted.
 */
function useLayerBelow(): Layer | null {
  const [layer, setLayer] = useState<Layer | null>(null)
  useEffect(() => {
    const check = (): void => setLayer(layerIn([...document.body.children]))
    const observer = new MutationObserver(check)
    check()
    observer.observe(document.body, { childList: true })
    return () => observer.disconnect()
  }, [])
  return layer
}

function layerIn(children: readonly Element[]): Layer | null {
  const layers = children.filter(({ id }) => id !== 'app')
  const has = (selector: string): boolean => layers.some((layer) => layer.querySelector(selector) !== null)
  // The title of a palette is for screen readers only.
  if (has('[data-rac] [role="dialog"] .visually-hidden:is(h2, h3)')) return 'palette'
  // The element around a menu has the role of a dialog as well.
  if (has('[data-rac] :is([role="dialog"], [role="alertdialog"])')) return 'dialog'
  return has('[role="menu"]') ? 'menu' : null
}

/** The distance between the notices and an open dialog, in CSS pixels. */
const gapPx = 8

/** Publishes the height of the notices as a property of the document, so that an open dialog leaves room for them. */
function publishHeight(region: HTMLElement): () => void {
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => {
    const { offsetHeight } = region
    style.setProperty('--notices-height', `${offsetHeight === 0 ? 0 : offsetHeight + gapPx}px`)
  })
  observer.observe(region)
  return () => {
    observer.disconnect()
    style.removeProperty('--notices-height')
  }
}

/** Returns true for a notice with buttons. F6 leads only to such notices, because all others disappear by themselves. */
const hasControls = ({ kind, action }: Notice): boolean => kind === 'failure' || action !== undefined

/** Returns the icon of a notice. Notices about changes by other users get the neutral icon. */
const iconOf = ({ kind }: Notice): IconName =>
  kind === 'failure' ? 'alert' : kind === 'news' ? 'info' : 'check-circle'

function Toast({
  notice,
  reportAddress,
}: {
  readonly notice: Notice
  readonly reportAddress: string | null
}) {
  const [isHeld, setHeld] = useState(false)
  const isFailure = notice.kind === 'failure'
  const { action } = notice
  useTimeout(notice, isHeld)
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
        <Icon name={iconOf(notice)} className={styles.icon} />
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
        {hasControls(notice) && <IconButton icon="close" label={t('buttons.close')} onClick={close} />}
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
