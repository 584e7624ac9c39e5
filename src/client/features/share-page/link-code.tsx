import { t } from '../../i18n/translate.ts'
import styles from './share-page.module.css'
import { lazyPart } from '../../state/parts/lazy-part.ts'

const QrCode = lazyPart(async () => (await import('../../ui/qr-code.tsx')).QrCode)

/** The longest address that is shown as a code, in characters. Cameras hardly read larger codes from a screen. */
const maxChars = 600

/** Renders the address of the page as a QR code, so that a phone can open it. */
export const LinkCode = () =>
  location.href.length <= maxChars && (
    <div className={styles.qr}>
      <QrCode text={location.href} label={t('guest.qr')} />
    </div>
  )
