import { useEffect } from 'react'
import { t } from '../../i18n/translate.ts'
import { cancelAllUploads, countCancellable, preparation, uploads } from '../../operations/uploads.ts'
import { closePrompt } from '../../state/prompt.ts'
import { useStore } from '../../state/store.ts'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/**
 * Asks for confirmation before all unfinished uploads are cancelled. The number in the question follows the uploads, and
 * the question closes when none is left.
 */
export function CancelUploadsPrompt() {
  useStore(uploads.summary)
  useStore(preparation)
  const count = countCancellable()
  useEffect(() => {
    if (count === 0) closePrompt()
  }, [count])
  return (
    <Dialog
      title={t('prompt.cancelUploads.title', { count })}
      onClose={closePrompt}
      onSubmit={() => {
        closePrompt()
        cancelAllUploads()
      }}
      actions={
        <DialogActions
          kind="danger"
          focused="cancel"
          onCancel={closePrompt}
          cancel={t('prompt.cancelUploads.keep')}
        >
          {t('uploads.cancelAll')}
        </DialogActions>
      }
    >
      <p>{t('prompt.cancelUploads.text')}</p>
    </Dialog>
  )
}
