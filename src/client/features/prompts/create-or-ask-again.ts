import type { Path } from '../../../shared/domain/path.ts'
import { sentences } from '../../i18n/joined-texts.ts'
import { t } from '../../i18n/translate.ts'
import { createFile, createFolder } from '../../operations/create.ts'
import { createOperationContext } from '../../operations/operation-context.ts'
import { location } from '../../router/router.ts'
import { prompt } from '../../state/prompt.ts'

type TypedCreation = {
  readonly kind: 'new-folder' | 'new-file'
  readonly folder: Path
  /** The name that the user has typed. */
  readonly name: string
}

/**
 * Creates a folder or a file. When the server refuses, the dialog opens again with the typed name and the reason. A
 * user who has gone on to something else in the meantime gets a notice with a button that opens the dialog.
 */
export function createOrAskAgain({ kind, folder, name }: TypedCreation): void {
  const context = createOperationContext()
  const address = location.get()
  const onRefusal = (reason: string): void => {
    const askAgain = (): void => prompt.set({ kind, folder, refused: { typed: name, reason } })
    if (location.get() === address && prompt.get().kind === 'none') askAgain()
    else
      context.notifyFailure(sentences(t('failed.create', { name }), reason), [], {
        label: t(`action.${kind}`),
        run: askAgain,
      })
  }
  const create = kind === 'new-folder' ? createFolder : createFile
  void create(context, { folder, name, onRefusal })
}
