import { useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { createOperationContext } from '../../operations/operation-context.ts'
import { renameEntries } from '../../operations/renaming/rename-entries.ts'
import type { EntriesOfFolder } from '../../state/listed-entry.ts'
import { openFolderAt } from '../../state/open-folder.ts'
import { closePrompt } from '../../state/prompt.ts'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Dialog, focusFirst } from '../../ui/dialog.tsx'
import { checkName } from './name-check.ts'
import { type NameMaker, nameMakerOf, type RenameRule } from './batch-rename/new-names.ts'
import { planNames } from './batch-rename/planned-names.ts'
import { PlannedNamesTable } from './batch-rename/planned-names-table.tsx'
import { firstPattern, firstReplacement, RuleFields } from './batch-rename/rule-fields.tsx'
import styles from './batch-rename/batch-rename.module.css'

/** Asks for a rule that renames several entries, and shows the new names while the user types. Enter confirms. */
export function BatchRenamePrompt({ folder, entries }: EntriesOfFolder) {
  const [kind, setKind] = useState<RenameRule['kind']>('replace')
  const [rules, setRules] = useState({ replace: firstReplacement, pattern: firstPattern })
  const make = nameMakerOf(rules[kind])
  // Entries keep their names while the rule is not valid.
  const makeOrKeep: NameMaker = make ?? (({ name }) => name)
  const isTaken = (name: string): boolean => openFolderAt(folder)?.has(name) ?? false
  const names = planNames(entries, { make: makeOrKeep, check: checkName, isTaken })
  const faults = names.filter(({ error }) => error !== null).length
  const changed = names.filter(({ entry, to }) => to !== entry.name)
  const isAllowed = faults === 0 && changed.length > 0
  return (
    <Dialog
      title={t('prompt.renameSeveral.title', { count: entries.length })}
      width="wide"
      onClose={closePrompt}
      onSubmit={() => {
        if (!isAllowed) return
        closePrompt()
        void renameEntries(createOperationContext(), { folder, entries: changed })
      }}
      actions={
        <>
          <output className={faults > 0 ? styles.faults : styles.changes}>
            {faults > 0
              ? t('prompt.renameSeveral.faults', { count: faults })
              : t('prompt.renameSeveral.changes', { count: changed.length })}
          </output>
          <DialogActions onCancel={closePrompt} disabled={!isAllowed}>
            {t('buttons.rename')}
          </DialogActions>
        </>
      }
    >
      <RuleFields
        kind={kind}
        rules={rules}
        firstField={focusFirst}
        isValid={make !== null}
        onKind={setKind}
        onChange={(next) => setRules((now) => ({ ...now, [next.kind]: next }))}
      />
      <PlannedNamesTable names={names} />
    </Dialog>
  )
}
