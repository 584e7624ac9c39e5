import { t } from '../../i18n/translate.ts'
import styles from './listing-skeleton.module.css'

const rows = Array.from({ length: 12 }, (_, at) => at)

/** Renders placeholders for the rows of a folder while the server takes a long time to respond. */
export const ListingSkeleton = () => (
  <output className={styles.skeleton}>
    <span className="visually-hidden">{t('shell.loading')}</span>
    {rows.map((row) => (
      <span key={row} className={styles.row}>
        <span className={styles.glyph} />
        <span className={styles.name} />
        <span className={styles.fact} />
        <span className={styles.fact} />
      </span>
    ))}
  </output>
)
