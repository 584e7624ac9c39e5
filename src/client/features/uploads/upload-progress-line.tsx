import { t } from '../../i18n/translate.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import styles from './uploads.module.css'

/** Renders the progress of all uploads as a line of 3 px at the top of the page. */
export const UploadProgressLine = ({ percent }: { readonly percent: number }) => (
  <ProgressBar label={t('uploads.progress')} fraction={percent / 100} className={styles.line ?? ''} />
)
