import { t } from '../../i18n/translate.ts'
import { cancelAllUploads } from '../../operations/uploads.ts'
import { closePrompt } from '../../state/prompt.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, focusFirst } from '../../ui/dialog.tsx'

/** Asks for confirmation before all unfinished uploads are cancelled. */
export const CancelUploadsPrompt = ({ count }: { readonly count: number }) => (
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
