import type { RefObject } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { filesUrl, location, navigate } from '../../router/router.ts'
import { notify, notifyFailure } from '../../state/notices.ts'
import { ChangedPrompt, RemovedPrompt } from './changed-prompt.tsx'
import type { CodeView } from './code-view.ts'
import { UnsavedPrompt } from './unsaved-prompt.tsx'
import type { LeaveGuard } from '../../router/use-leave-guard.ts'
import type { SaveControl } from './use-saving.ts'

type EditorDialogsProps = {
  readonly path: Path
  readonly name: string
  readonly saving: SaveControl
  readonly guard: LeaveGuard
  readonly code: RefObject<CodeView | null>
  readonly onReload: () => void
}

/**
 * Renders the dialogs of an editor: questions about versions of others, and about unsaved changes before the user
 * leaves.
 */
export function EditorDialogs({ path, name, saving, guard, code, onReload }: EditorDialogsProps) {
  const openCopy = async (): Promise<void> => {
    const copy = await saving.saveAsCopy()
    if (copy === null) return
    notify(t('editor.copySaved'))
    // The guard of unsaved changes ends with the next rendering.
    setTimeout(() => navigate(filesUrl(copy, false) + location.get().query, { replace: true }))
  }
  const saveAndLeave = async (): Promise<void> => {
    const isSaved = await saving.save()
    guard.answer(isSaved)
    if (!isSaved) notifyFailure(t('editor.stillUnsaved'))
  }
  return (
    <>
      {saving.conflict === 'removed' && (
        <RemovedPrompt
          name={name}
          onCancel={saving.dismissChange}
          onCreate={() => void saving.save({ isForced: true })}
        />
      )}
      {saving.conflict === 'changed' && (
        <ChangedPrompt
          name={name}
          path={path}
          ownText={() => code.current?.view.state.doc.toString() ?? ''}
          onCancel={saving.dismissChange}
          onOverwrite={() => void saving.save({ isForced: true })}
          onReload={onReload}
          onSaveCopy={() => void openCopy()}
        />
      )}
      {guard.isAsking && (
        <UnsavedPrompt
          name={name}
          onCancel={() => guard.answer(false)}
          onDiscard={() => guard.answer(true)}
          onSave={() => void saveAndLeave()}
        />
      )}
    </>
  )
}
