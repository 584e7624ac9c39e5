import { useCallback, useState, type ReactNode } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { openFolderAt } from '../../state/open-folder.ts'
import { closePrompt, reasonFor, type RefusedName } from '../../state/prompt.ts'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { checkName } from './name-check.ts'

type NamePromptProps = {
  readonly folder: Path
  readonly title: string
  /** The text above the field, which is also the field's accessible name. */
  readonly label: string
  readonly text?: ReactNode
  readonly submit: string
  /** The current name of the entry. Undefined when the prompt asks for the name of a new entry. */
  readonly old?: string
  /** A name for a new entry, with which the field opens. */
  readonly suggested?: string
  readonly hint?: string
  /** The number of leading characters that are selected when the prompt opens. */
  readonly selected?: number
  /** The name that the server has refused before. The field contains it again, with the reason. */
  readonly refused?: RefusedName | undefined
  readonly onName: (name: string) => void
}

/** Asks for the name of an entry in a folder and checks the name while the user types. */
export function NamePrompt({
  folder,
  title,
  label,
  text,
  submit,
  old,
  suggested = old ?? '',
  hint,
  selected = 0,
  refused,
  onName,
}: NamePromptProps) {
  const [typed, setTyped] = useState(refused?.typed ?? suggested)
  const isTaken = (name: string): boolean => openFolderAt(folder)?.has(name) ?? false
  const { name, isAllowed, error } = checkName(typed, { isTaken, old: old ?? null })
  const focusStem = useCallback(
    (input: HTMLInputElement | null): void => {
      input?.focus()
      input?.setSelectionRange(0, selected)
    },
    [selected],
  )
  return (
    <Dialog
      title={title}
      onClose={closePrompt}
      onSubmit={() => {
        if (!isAllowed) return
        closePrompt()
        onName(name)
      }}
      actions={
        <DialogActions onCancel={closePrompt} disabled={!isAllowed}>
          {submit}
        </DialogActions>
      }
    >
      {text}
      <TextField
        ref={focusStem}
        label={label}
        isLabelHidden={text !== undefined}
        hint={hint}
        value={typed}
        error={error ?? reasonFor(typed, refused)}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        dir="auto"
        enterKeyHint="done"
        onChange={({ target }) => setTyped(target.value)}
      />
    </Dialog>
  )
}
