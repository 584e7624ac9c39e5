import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from '../../../api/query-client.ts'
import { takeoverQuery } from '../../../api/takeover-query.ts'
import { t } from '../../../i18n/translate.ts'
import { Link } from '../../../router/link.tsx'
import { firstHints } from '../../../state/device/first-hints.ts'
import { useUser } from '../../../state/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { IconName } from '../../../ui/icon-names.ts'
import styles from './first-hints.module.css'

/**
 * Renders what the first administrator should know on the first visit (ux 2.18), until the card is closed on this
 * device. After a takeover from File Browser, the report takes the place of the first password, because nobody got one.
 */
export function FirstHints() {
  const isAdmin = useUser()?.perm.admin === true
  const { data, isLoading } = useQuery({ ...takeoverQuery, enabled: isAdmin, retry: false }, queryClient)
  if (isLoading) return null
  const wasTakenOver = (data?.takeover ?? null) !== null
  return (
    <section className={styles.card} aria-label={t('hints.title')}>
      <h2 className={styles.title}>{t('hints.title')}</h2>
      <ul className={styles.list}>
        {wasTakenOver ? (
          <Hint icon="info">
            {t('hints.takeover')} <Link to="/settings/takeover">{t('hints.report')}</Link>
          </Hint>
        ) : (
          <Hint icon="user">
            {t('hints.password')} <Link to="/settings/profile">{t('hints.profile')}</Link>
          </Hint>
        )}
        <Hint icon="upload">{t('hints.drop')}</Hint>
        <Hint icon="eye">{t('hints.keys')}</Hint>
      </ul>
      <Button kind="primary" onClick={() => firstHints.set('closed')}>
        {t('hints.close')}
      </Button>
    </section>
  )
}

const Hint = ({ icon, children }: { readonly icon: IconName; readonly children: ReactNode }) => (
  <li className={styles.hint}>
    <Icon name={icon} />
    <span>{children}</span>
  </li>
)
