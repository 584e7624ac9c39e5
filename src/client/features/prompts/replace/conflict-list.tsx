import { t } from '../../../i18n/translate.ts'
import type { NameConflict } from '../../../state/conflicts/name-conflict.ts'
import { FileName } from '../../../ui/file-name.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { decisionLabels, decisionsFor, type ConflictDecision } from './conflict-decisions.ts'
import { ConflictSides } from './conflict-sides.tsx'
import styles from './replace.module.css'

/** The number of conflicts that can be decided one by one. More rows would make the dialog slow to open. */
const shownConflicts = 200

type ConflictListProps = {
  readonly conflicts: readonly NameConflict[]
  readonly decisionOf: (conflict: NameConflict) => ConflictDecision
  readonly onDecide: (conflict: NameConflict, decision: ConflictDecision) => void
}

/** Lists conflicts with a choice for each of them. */
export function ConflictList({ conflicts, decisionOf, onDecide }: ConflictListProps) {
  const rest = conflicts.length - shownConflicts
  return (
    <ul className={styles.list}>
      {conflicts.slice(0, shownConflicts).map((conflict) => (
        <li key={`${conflict.folder}/${conflict.name}`} className={styles.row}>
          <div className={styles.compared}>
            <strong className={styles.name}>
              <FileName name={conflict.name} />
            </strong>
            <ConflictSides conflict={conflict} />
          </div>
          <select
            className={styles.select}
            aria-label={t('prompt.replace.choiceFor', { name: visibleName(conflict.name) })}
            value={decisionOf(conflict)}
            onChange={({ target }) => onDecide(conflict, target.value as ConflictDecision)}
          >
            {decisionsFor([conflict]).map((decision) => (
              <option key={decision} value={decision}>
                {t(decisionLabels[decision])}
              </option>
            ))}
          </select>
        </li>
      ))}
      {rest > 0 && <li className={styles.rest}>{t('prompt.replace.rest', { count: rest })}</li>}
    </ul>
  )
}
