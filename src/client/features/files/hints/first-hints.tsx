import type { ReactNode } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Link } from '../../../router/link.tsx'
import { firstHints } from '../../../state/device/first-hints.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { IconName } from '../../../ui/icon-names.ts'
import styles from './first-hints.module.css'

/**
 * Renders what the first administrator should know on the first visit (ux 2.18), until the card is closed on this
 * device.
 */
export const FirstHints = () => (
  <section className={styles.card} aria-label={t('hints.title')}>
    <h2 className={styles.title}>{t('hints.title')}</h2>
    <ul className={styles.list}>
      <Hint icon="user">
        {t('hints.password')} <Link to="/settings/profile">{t('hints.profile')}</Link>
      </Hint>
      <Hint icon="upload">{t('hints.drop')}</Hint>
      <Hint icon="eye">{t('hints.keys')}</Hint>
    </ul>
    <Button kind="primary" onClick={() => firstHints.set('closed')}>
      {t('hints.close')}
    </Button>
  </section>
)

const Hint = ({ icon, children }: { readonly icon: IconName; readonly children: ReactNode }) => (
  <li className={styles.hint}>
    <Icon name={icon} />
    <span>{children}</span>
  </li>
)
