import { t } from '../i18n/translate.ts'
import { Spinner } from '../ui/spinner.tsx'
import styles from './waiting.module.css'

/** Stands where something is still coming; appears late, so that what comes soon does not flicker. */
export const Waiting = () => (
  <output className={styles.waiting}>
    <Spinner size="large" />
    <span>{t('shell.loading')}</span>
  </output>
)
