import { t } from '../../../i18n/translate.ts'
import { FileName } from '../../../ui/file-name.tsx'
import type { PlannedName } from './planned-names.ts'
import styles from './batch-rename.module.css'

/** The number of rows that are shown. Of the other rows, only the first ones with a fault are shown. */
const shownRows = 100
const shownFaults = 20

/** Renders the old and the new names of entries side by side, with the reasons why new names are not possible. */
export function PlannedNamesTable({ names }: { readonly names: readonly PlannedName[] }) {
  const rest = names.slice(shownRows)
  const faults = rest.filter(({ error }) => error !== null).slice(0, shownFaults)
  const hidden = rest.length - faults.length
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('prompt.renameSeveral.old')}</th>
            <th scope="col">{t('prompt.renameSeveral.new')}</th>
          </tr>
        </thead>
        <tbody>
          {[...names.slice(0, shownRows), ...faults].map((name) => (
            <PlannedNameRow key={name.entry.name} {...name} />
          ))}
        </tbody>
      </table>
      {hidden > 0 && <p className={styles.rest}>{t('prompt.renameSeveral.more', { count: hidden })}</p>}
    </div>
  )
}

const PlannedNameRow = ({ entry, to, error }: PlannedName) => (
  <tr className={error === null ? undefined : styles.fault}>
    <td>
      <FileName name={entry.name} isWhole />
    </td>
    <td>
      {to === entry.name ? (
        <span className={styles.unchanged}>{t('prompt.renameSeveral.unchanged')}</span>
      ) : (
        <FileName name={to} isWhole />
      )}
      {error !== null && <span className={styles.error}>{error}</span>}
    </td>
  </tr>
)
