import { t } from '../i18n/translate.ts'
import { Spinner } from '../ui/spinner.tsx'
import styles from './loading-indicator.module.css'

/**
 * Renders a spinner for content that is being loaded. The style sheet shows the spinner after a delay, so that fast
 * loads do not flicker.
 */
export const LoadingIndicator = () => (
  <output className={styles.waiting}>
    <Spinner size="large" />
    <span>{t('shell.loading')}</span>
  </output>
)
