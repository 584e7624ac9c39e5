import { t } from '../../../i18n/translate.ts'
import { DeviceCard } from './device-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { PreferencesCard } from './preferences-card.tsx'
import styles from './profile-page.module.css'
import { SessionsCard } from './sessions-card.tsx'

/** Renders what users change for themselves: preferences, password, choices of the device, and sessions. */
export function ProfilePage() {
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">{t('settings.tab.profile')}</h1>
      <div className={styles.column}>
        <PreferencesCard />
        <DeviceCard />
      </div>
      <div className={styles.column}>
        <PasswordCard />
        <SessionsCard />
      </div>
    </div>
  )
}
