import { PreferencesCard } from './preferences-card.tsx'
import styles from './profile-page.module.css'

/** Renders what users change for themselves. */
export function ProfilePage() {
  return (
    <div className={styles.page}>
      <PreferencesCard />
    </div>
  )
}
