import { useState } from 'react'
import { FolderPlus } from 'lucide'
import { queryClient } from '../../../api/query-client.ts'
import { useWhenReachable } from '../../../api/use-when-reachable.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import { compareNames } from '../../../../shared/domain/sorting.ts'
import { t } from '../../../i18n/translate.ts'
import { addFolder } from '../../../operations/create.ts'
import { createOperationContext } from '../../../operations/operation-context.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { childFoldersQuery } from './child-folders.ts'
import styles from './folder-picker.module.css'

/** Checks a typed name. `isTaken` returns true when another entry has the name. */
export type NameCheck = (
  typed: string,
  options: { readonly isTaken: (name: string) => boolean },
) => { readonly name: string; readonly isAllowed: boolean; readonly error: string | null }

type NewFolderFieldProps = {
  /** The folder in which the new folder is created. */
  readonly folder: Path
  readonly check: NameCheck
  readonly onCreated: (name: string) => void
}

/**
 * Renders a button that opens a field for the name of a new folder. Enter creates the folder, Escape closes the field. The error about
 * a lost connection disappears when the server responds again.
 */
export function NewFolderField({ folder, check, onCreated }: NewFolderFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  useWhenReachable(refusal === t('reason.offline'), () => setRefusal(null))
  const { queryKey } = childFoldersQuery(folder)
  if (typed === null) {
    return (
      <Button kind="quiet" icon={FolderPlus} className={styles.add} onClick={() => setTyped('')}>
        {t('action.new-folder')}
      </Button>
    )
  }
  const isTaken = (name: string): boolean => queryClient.getQueryData(queryKey)?.includes(name) ?? false
  const { name, isAllowed, error } = check(typed, { isTaken })
  const create = async (): Promise<void> => {
    if (!isAllowed || isBusy) return
    setBusy(true)
    const reason = await addFolder(createOperationContext(), { folder, name })
    setBusy(false)
    setRefusal(reason)
    if (reason !== null) return
    queryClient.setQueryData(queryKey, (names) => [...(names ?? []), name].sort(compareNames))
    setTyped(null)
    onCreated(name)
  }
  return (
    <div className={styles.newFolder}>
      <TextField
        ref={focusOnce}
        label={t('prompt.newFolder.text')}
        value={typed}
        error={error ?? refusal}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        dir="auto"
        onChange={({ target }) => {
          setRefusal(null)
          setTyped(target.value)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return
          // Enter would confirm the dialog, and Escape would close it.
          event.preventDefault()
          event.stopPropagation()
          if (event.key === 'Enter') void create()
          else setTyped(null)
        }}
      />
      <Button isBusy={isBusy} disabled={!isAllowed} onClick={() => void create()}>
        {t('buttons.create')}
      </Button>
    </div>
  )
}

/** Focuses the field when it appears. */
const focusOnce = (element: HTMLInputElement | null): void => element?.focus()
