import { useEffect } from 'react'
import { t } from '../../i18n/translate.ts'
import { cancelAllUploads, countCancellable, preparation, uploads } from '../../operations/uploads.ts'
import { closePrompt } from '../../state/prompt.ts'
import { useStore } from '../../state/store.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, focusFirst } from '../../ui/dialog.tsx'

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
        <>
          <Button onClick={closePrompt} ref={focusFirst}>
            {t('prompt.cancelUploads.keep')}
          </Button>
          <Button kind="danger" type="submit">
            {t('uploads.cancelAll')}
          </Button>
        </>
      }
    >
      <p>{t('prompt.cancelUploads.text')}</p>
    </Dialog>
  )
}
