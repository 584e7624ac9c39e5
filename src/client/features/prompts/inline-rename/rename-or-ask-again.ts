import type { Path } from '../../../../shared/domain/path.ts'
import { sentences } from '../../../i18n/joined-texts.ts'
import { t } from '../../../i18n/translate.ts'
import { createOperationContext } from '../../../operations/operation-context.ts'
import { renameEntry } from '../../../operations/renaming/rename.ts'
import { location } from '../../../router/router.ts'
import type { ListedEntry } from '../../../state/listed-entry.ts'
import { openFolder } from '../../../state/open-folder.ts'
import { prompt } from '../../../state/prompt.ts'

type TypedRename = {
  readonly folder: Path
  readonly entry: ListedEntry
  /** The name that the user has typed. */
  readonly to: string
  /** True when the name was typed in the row of the entry. */
  readonly isInline: boolean
  readonly movesFocus?: boolean
}

/**
 * Renames an entry. When the server refuses, the field opens again with the typed name and the reason. A user who has
 * gone on to something else in the meantime gets a notice with a button that opens the field.
 */
export function renameOrAskAgain({ folder, entry, to, isInline, movesFocus = true }: TypedRename): void {
  const context = createOperationContext()
  const { name } = entry
  const address = location.get()
  const onRefusal = (reason: string): void => {
    const askAgain = (): void =>
      prompt.set({ kind: 'rename', folder, entry, isInline, refused: { typed: to, reason } })
    const isHere = location.get() === address && prompt.get().kind === 'none'
    if (isHere && isStillSelected(folder, [name, to])) askAgain()
    else
      context.notifyFailure(sentences(t('failed.rename.to', { name, to }), reason), [], {
        label: t('buttons.rename'),
        run: askAgain,
      })
  }
  void renameEntry(context, { folder, from: name, to, movesFocus, onRefusal })
}

/** Returns true when the entry is the only selected one of the open folder, or when its folder is not open. */
function isStillSelected(folder: Path, names: readonly string[]): boolean {
  const open = openFolder.get()
  if (open?.folder !== folder) return true
  const [first, ...others] = open.selected()
  return first !== undefined && others.length === 0 && names.includes(first.name)
}
