import { t } from '../../../i18n/translate.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import styles from './viewer-loading.module.css'

/** Shows that a viewer is loading its file. */
export const ViewerLoading = () => (
  <div className={styles.loading}>
    <Spinner size="large" />
    <output>{t('shell.loading')}</output>
  </div>
)
