import { automaticRefusal } from '../../api/session.ts'
import { config, instanceName } from '../../api/config.ts'
import { t } from '../../i18n/translate.ts'
import { useStore } from '../../state/store.ts'
import { Button } from '../../ui/button.tsx'
import styles from './refused-address.module.css'

/**
 * Says in place of the login form why a server without a login page signs nobody in. Such a server ignores names and
 * passwords.
 */
export function FailedAutomaticLogin() {
  const isRefused = useStore(automaticRefusal) === 403
  return (
    <section className={styles.card} data-part="failed-automatic-login">
      <h1>{instanceName()}</h1>
      <p>{t(isRefused ? (config().NoAuth ? 'login.noUser' : 'errors.forbidden') : 'errors.internal')}</p>
      <Button kind="primary" onClick={() => location.reload()}>
        {t('address.retry')}
      </Button>
    </section>
  )
}
