import { Lock } from 'lucide'
import type { CallError } from '../../api/call.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './refused-address.module.css'

/** The line of the configuration of nginx with which the server receives the address that the browser shows. */
const proxyLine = 'proxy_set_header Host $http_host;'

/**
 * Explains in place of the login form that the server refuses the address of this page, and what an administrator can
 * change. Names and passwords have no effect on the refusal.
 */
export function RefusedAddress({ refusal: { code, receivedHost } }: { readonly refusal: CallError }) {
  const isForeign = code === 'foreign-origin'
  return (
    <section className={styles.card} data-part="refused-address">
      <Icon icon={Lock} />
      <h1>{t('address.title')}</h1>
      <p>{t(isForeign ? 'address.foreign' : 'address.unknown')}</p>
      <dl>
        <dt>{t('address.page')}</dt>
        <dd dir="ltr">{location.host}</dd>
        {receivedHost !== null && (
          <>
            <dt>{t('address.received')}</dt>
            <dd dir="ltr">{receivedHost}</dd>
          </>
        )}
      </dl>
      {isForeign && (
        <>
          <p>{t('address.proxy')}</p>
          <code dir="ltr">{proxyLine}</code>
        </>
      )}
      <p>{t(isForeign ? 'address.orOption' : 'address.option')}</p>
      <code dir="ltr">{`--trustedOrigins ${location.origin}`}</code>
      <Button kind="primary" onClick={() => location.reload()}>
        {t('address.retry')}
      </Button>
    </section>
  )
}
