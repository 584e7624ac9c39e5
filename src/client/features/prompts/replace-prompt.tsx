import type { ReactNode } from 'react'
import { nameOf } from '../../../shared/domain/path.ts'
import { RichText } from '../../i18n/rich-text.tsx'
import { t } from '../../i18n/translate.ts'
import type { NameConflict } from '../../state/conflicts/name-conflict.ts'
import type { Prompt } from '../../state/prompt.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, focusFirst } from '../../ui/dialog.tsx'
import { FileName } from '../../ui/file-name.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { choiceOfDecision, decisionLabels, type ConflictDecision } from './replace/conflict-decisions.ts'
import { ConflictSides } from './replace/conflict-sides.tsx'
import { SeveralConflicts } from './several-conflicts.tsx'
import styles from './replace/replace.module.css'

/** The number of names that the question about several names shows before the user decides one by one. */
const shownNames = 3

type ReplacePromptProps = Omit<Extract<Prompt, { readonly kind: 'replace' }>, 'kind'>

/** Asks the user what to do about names that already exist in the target folder. */
export function ReplacePrompt({ conflicts, total, resolve }: ReplacePromptProps) {
  const [only] = conflicts
  const decide = (decisionOf: (conflict: NameConflict) => ConflictDecision): void =>
    resolve((conflict) => choiceOfDecision(decisionOf(conflict), conflict))
  const cancel = (): void => resolve(() => 'cancel')
  if (only === undefined) return null
  const summary = <ConflictSummary conflicts={conflicts} total={total} />
  return conflicts.length === 1 ? (
    <OneConflict conflict={only} onDecide={(decision) => decide(() => decision)} onCancel={cancel}>
      {total > 1 && summary}
    </OneConflict>
  ) : (
    <SeveralConflicts conflicts={conflicts} total={total} onDecide={decide} onCancel={cancel}>
      {summary}
    </SeveralConflicts>
  )
}

/** Shows how many of the entries already exist, and in which folder. */
function ConflictSummary({ conflicts, total }: Pick<ReplacePromptProps, 'conflicts' | 'total'>) {
  const folders = new Set(conflicts.map(({ folder }) => folder))
  const [folder] = folders
  const isOneFolder = folders.size === 1 && folder !== undefined
  const name = <FileName name={(isOneFolder && nameOf(folder)) || t('sidebar.myFiles')} isWhole />
  const rest = conflicts.length - shownNames
  return (
    <>
      <p>
        <RichText
          id={isOneFolder ? 'prompt.replace.count' : 'prompt.replace.countBelow'}
          values={{ count: conflicts.length, of: total, folder: name }}
        />
      </p>
      {conflicts.length > 1 && (
        <ul className={styles.conflicts} aria-label={t('prompt.replace.names')}>
          {conflicts.slice(0, shownNames).map((conflict) => (
            <li key={`${conflict.folder}/${conflict.name}`}>
              <FileName name={conflict.name} />
            </li>
          ))}
          {rest > 0 && <li>{t('prompt.delete.more', { count: rest })}</li>}
        </ul>
      )}
    </>
  )
}

type OneConflictProps = {
  readonly conflict: NameConflict
  readonly onDecide: (decision: ConflictDecision) => void
  readonly onCancel: () => void
  readonly children: ReactNode
}

/** Asks about a single name. Enter replaces the existing entry. */
function OneConflict({ conflict, onDecide, onCancel, children }: OneConflictProps) {
  const { verb, name, freeName } = conflict
  return (
    <Dialog
      title={t('prompt.replace.title')}
      onClose={onCancel}
      onSubmit={() => onDecide('overwrite')}
      actions={
        <>
          <Button onClick={onCancel}>{t('buttons.cancel')}</Button>
          <Button onClick={() => onDecide('skip')}>{t('buttons.skip')}</Button>
          {freeName !== null && (
            <Button kind="primary" onClick={() => onDecide('rename')}>
              {t(decisionLabels.rename)}
            </Button>
          )}
          <Button kind="danger" type="submit" ref={focusFirst}>
            {t('buttons.replace')}
          </Button>
        </>
      }
    >
      <p>{t('prompt.replace.text', { verb })}</p>
      {children}
      <div className={styles.one}>
        <strong className={styles.name}>
          <FileName name={name} isWhole />
        </strong>
        <ConflictSides conflict={conflict} />
      </div>
      {freeName !== null && (
        <p className={styles.hint}>{t('prompt.replace.keepsBoth', { name: visibleName(freeName) })}</p>
      )}
    </Dialog>
  )
}
