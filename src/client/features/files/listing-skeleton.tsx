import { t } from '../../i18n/translate.ts'
import styles from './listing-skeleton.module.css'

const rows = Array.from({ length: 12 }, (_, at) => at)

/** Stands where the rows of a slow folder will be. */
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
