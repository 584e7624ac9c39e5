import { t } from '../../i18n/translate.ts'
import { reasonOf } from '../../operations/reason.ts'
import { notify, notifyFailure } from '../../state/notices.ts'
import { closePrompt } from '../../state/prompt.ts'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { pathTextOfLink } from './name-of-link.ts'
import { deleteLink } from './share-links.ts'

/** Asks before a link is deleted, which cannot be undone. Enter confirms. */
export function DeleteSharePrompt({ hash, path }: { readonly hash: string; readonly path: string }) {
  return (
    <Dialog
      title={t('share.delete.title', { path: pathTextOfLink(path) })}
      isAlert
      onClose={closePrompt}
      onSubmit={() => {
        closePrompt()
        void deleteAndNotify(hash)
      }}
      actions={
        <DialogActions kind="danger" focused="submit" onCancel={closePrompt}>
          {t('buttons.delete')}
        </DialogActions>
      }
    >
      <p>{t('share.delete.text')}</p>
    </Dialog>
  )
}

/** Deletes a link and shows a notice about the outcome. */
async function deleteAndNotify(hash: string): Promise<void> {
  try {
    await deleteLink(hash)
  } catch (thrown) {
    notifyFailure(t('share.failed.delete'), [reasonOf(thrown)])
    return
  }
  notify(t('share.done.deleted'))
}
