import { useEffect, useState } from 'react'
import { TriangleAlert } from 'lucide'
import { formatCount } from '../../i18n/locale.ts'
import { parseCount } from '../../i18n/later-formats.ts'
import { t } from '../../i18n/translate.ts'
import { createOperationContext } from '../../operations/operation-context.ts'
import { removeEntries } from '../../operations/remove.ts'
import type { EntriesOfFolder } from '../../state/listed-entry.ts'
import { closePrompt } from '../../state/prompt.ts'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'

import { TextField } from '../../ui/text-field.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { ignoreDoubleEnter } from './ignore-double-enter.ts'
import { NamedEntries } from './named-entries.tsx'
import { useEntriesLeft } from './use-entries-left.ts'
import styles from './prompts.module.css'

/** When at least this many entries are permanently deleted, the user has to type their number first (ux 2.9). */
const manyEntries = 100

/**
 * Asks for confirmation before a delete. The title names a single entry, and several entries are listed. Enter
 * confirms. For many entries the user has to type their number first. Entries that somebody else deletes meanwhile leave the prompt.
 * It closes when none is left. The listing shows a notice about them.
 */
export function DeletePrompt({ folder, entries: selected }: EntriesOfFolder) {
  const entries = useEntriesLeft(folder, selected)
  const isGone = entries.length === 0
  useEffect(() => {
    if (isGone) closePrompt()
  }, [isGone])
  const [typed, setTyped] = useState('')
  const folders = entries.filter(({ isFolder, isLink }) => isFolder && !isLink).length
  const isMany = selected.length >= manyEntries
  const isAllowed = !isMany || parseCount(typed) === entries.length
  return (
    <Dialog
      title={t('prompt.delete.text', { count: entries.length, name: visibleName(entries[0]?.name ?? '') })}
      onClose={closePrompt}
      onSubmit={() => {
        if (!isAllowed || isGone) return
        ignoreDoubleEnter()
        closePrompt()
        void removeEntries(createOperationContext(), { folder, entries })
      }}
      actions={
        <DialogActions
          kind="danger"
          focused={isMany ? 'cancel' : 'submit'}
          onCancel={closePrompt}
          disabled={!isAllowed}
        >
          {t('buttons.delete')}
        </DialogActions>
      }
    >
      {entries.length > 1 && <NamedEntries entries={entries} />}
      <p className={styles.warning}>
        <Icon icon={TriangleAlert} size={16} />
        {t('prompt.delete.permanent')}
      </p>
      {folders > 0 && <p>{t('prompt.delete.contents', { count: folders })}</p>}
      {isMany && (
        <TextField
          label={t('prompt.delete.type', { count: formatCount(entries.length) })}
          value={typed}
          inputMode="numeric"
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
    </Dialog>
  )
}
