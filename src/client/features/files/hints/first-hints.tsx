import { useState, type ReactNode } from 'react'
import { Eye, Info, Upload, User } from 'lucide'
import { useQuery } from '../../../api/use-query.ts'
import { takeoverQuery } from '../../../api/takeover-query.ts'
import { t } from '../../../i18n/translate.ts'
import { Link } from '../../../router/link.tsx'
import { firstHints } from '../../../state/device/first-hints.ts'
import { useUser } from '../../../state/session.ts'
import { Button } from '../../../ui/button.tsx'
import { focusFirst } from '../../../ui/dialog.tsx'
import { publishHeight } from '../../../ui/root/publish-height.ts'
import { Fill } from '../../../ui/slot.tsx'
import { Icon, type IconDrawing } from '../../../ui/icon.tsx'
import { useHasRoom } from './use-has-room.ts'
import styles from './first-hints.module.css'

/**
 * Renders what the first administrator should know on the first visit (ux 2.18), until the card is closed on this
 * device. Where the card would cover rows, a button in the status bar opens it. After a takeover from File Browser, the
 * report takes the place of the first password, because nobody got one. `isEmpty` is true while the open folder has no
 * rows.
 */
export function FirstHints({ isEmpty }: { readonly isEmpty: boolean }) {
  const isAdmin = useUser()?.perm.admin === true
  const { data, isLoading } = useQuery({ ...takeoverQuery, enabled: isAdmin, retry: false })
  const hasRoom = useHasRoom(isEmpty)
  const [isOpened, setOpened] = useState(false)
  if (isLoading) return null
  if (!hasRoom && !isOpened)
    return (
      <Fill slot="status">
        <Button kind="quiet" className={styles.open} onClick={() => setOpened(true)}>
          {t('hints.title')}
        </Button>
      </Fill>
    )
  const wasTakenOver = (data?.takeover ?? null) !== null
  return (
    <section ref={publishCardHeight} className={styles.card} aria-label={t('hints.title')}>
      <h2 className={styles.title}>{t('hints.title')}</h2>
      <ul className={styles.list}>
        {wasTakenOver ? (
          <Hint icon={Info}>
            {t('hints.takeover')} <Link to="/settings/takeover">{t('hints.report')}</Link>
          </Hint>
        ) : (
          <Hint icon={User}>
            {t('hints.password')} <Link to="/settings/profile">{t('hints.profile')}</Link>
          </Hint>
        )}
        <Hint icon={Upload}>{t('hints.drop')}</Hint>
        <Hint icon={Eye}>{t('hints.keys')}</Hint>
      </ul>
      <Button kind="primary" {...(isOpened && { ref: focusFirst })} onClick={() => firstHints.set('closed')}>
        {t('hints.close')}
      </Button>
    </section>
  )
}

/**
 * Publishes the height of the card, so that the list leaves room for the card, and the place above the card, where the
 * notices are. While the tray of the uploads replaces the card, neither is set.
 */
const publishCardHeight = (card: HTMLElement): (() => void) =>
  publishHeight(card, {
    '--hints-height': (heightPx) => `${heightPx}px`,
    '--hints-top': (heightPx) => `calc(${heightPx}px + var(--bottom-panel, 0px))`,
  })

const Hint = ({ icon, children }: { readonly icon: IconDrawing; readonly children: ReactNode }) => (
  <li className={styles.hint}>
    <Icon icon={icon} />
    <span>{children}</span>
  </li>
)
