import { t } from '../../i18n/translate.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import styles from './uploads.module.css'

/** Three pixels at the very top: how much of everything has been sent. */
export const UploadLine = ({ percent }: { readonly percent: number }) => (
  <ProgressBar label={t('uploads.progress')} fraction={percent / 100} className={styles.line ?? ''} />
)
