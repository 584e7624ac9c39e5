import { useState, type ReactNode } from 'react'
import { listText } from '../../i18n/joined-texts.ts'
import { t } from '../../i18n/translate.ts'
import type { NameConflict } from '../../state/conflicts/name-conflict.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, focusFirst } from '../../ui/dialog.tsx'
import {
  decisionLabels,
  decisionsFor,
  outcomeOf,
  type ConflictDecision,
  type ConflictOutcome,
} from './replace/conflict-decisions.ts'
import { ConflictList } from './replace/conflict-list.tsx'
import styles from './replace/replace.module.css'

type DecisionOf = (conflict: NameConflict) => ConflictDecision
type SeveralConflictsProps = {
  readonly conflicts: readonly NameConflict[]
  readonly total: number
  readonly onDecide: (decisionOf: DecisionOf) => void
  readonly onCancel: () => void
  readonly children: ReactNode
}

/**
 * Asks about several names, once for all of them or one by one, and shows the result of the choices before they are
 * confirmed. Enter confirms.
 */
export function SeveralConflicts({ conflicts, total, onDecide, onCancel, children }: SeveralConflictsProps) {
  const [forAll, setForAll] = useState<ConflictDecision>('skip')
  const [isSingly, setSingly] = useState(false)
  const [decided, setDecided] = useState<ReadonlyMap<NameConflict, ConflictDecision>>(new Map())
  const decisionOf: DecisionOf = (conflict) => (isSingly ? decided.get(conflict) : undefined) ?? forAll
  return (
    <Dialog
      title={t('prompt.replace.title')}
      width="wide"
      onClose={onCancel}
      onSubmit={() => onDecide(decisionOf)}
      actions={
        <>
          <Button onClick={onCancel}>{t('buttons.cancel')}</Button>
          <Button
            kind={!isSingly && forAll === 'overwrite' ? 'danger' : 'primary'}
            type="submit"
            ref={focusFirst}
          >
            {t(isSingly || forAll === 'skip' ? 'buttons.continue' : decisionLabels[forAll])}
          </Button>
        </>
      }
    >
      {children}
      {isSingly ? (
        <ConflictList
          conflicts={conflicts}
          decisionOf={decisionOf}
          onDecide={(conflict, decision) => setDecided((now) => new Map(now).set(conflict, decision))}
        />
      ) : (
        <DecisionForAll offered={decisionsFor(conflicts)} decision={forAll} onDecide={setForAll} />
      )}
      <Button className={styles.switch} onClick={() => setSingly(!isSingly)}>
        {t(isSingly ? 'prompt.replace.decideAll' : 'prompt.replace.decideSingly')}
      </Button>
      <output className={styles.outcome}>
        {t('prompt.replace.result', {
          outcome: outcomeText(outcomeOf(conflicts, decisionOf, total), conflicts[0]?.verb ?? 'upload'),
        })}
      </output>
    </Dialog>
  )
}

type DecisionForAllProps = {
  readonly offered: readonly ConflictDecision[]
  readonly decision: ConflictDecision
  readonly onDecide: (decision: ConflictDecision) => void
}

const DecisionForAll = ({ offered, decision: current, onDecide }: DecisionForAllProps) => (
  <fieldset className={styles.choices}>
    <legend className="visually-hidden">{t('prompt.replace.forAll')}</legend>
    {offered.map((decision) => (
      <label key={decision} className={styles.choice}>
        <input
          type="radio"
          name="decision"
          value={decision}
          checked={decision === current}
          onChange={() => onDecide(decision)}
        />
        <span className={styles.choiceName}>{t(decisionLabels[decision])}</span>
        <span className={styles.hint}>{t(`prompt.replace.note.${decision}`)}</span>
      </label>
    ))}
  </fieldset>
)

/** Describes the result of the choices, such as "2 replaced, 1 kept both, 117 copied". */
function outcomeText(outcome: ConflictOutcome, verb: NameConflict['verb']): string {
  const parts = (['replaced', 'kept', 'skipped', 'sent'] as const)
    .filter((part) => outcome[part] > 0)
    .map((part) => t(`prompt.replace.outcome.${part}`, { count: outcome[part], verb }))
  return listText(parts)
}
