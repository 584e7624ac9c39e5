import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, focusFirst } from '../../ui/dialog.tsx'
import { visibleName } from '../../ui/visible-name.ts'

type UnsavedPromptProps = {
  readonly name: string
  readonly onCancel: () => void
  readonly onDiscard: () => void
  readonly onSave: () => void
}

/** Asks what to do with unsaved changes before the user leaves the text. */
export const UnsavedPrompt = ({ name, onCancel, onDiscard, onSave }: UnsavedPromptProps) => (
  <Dialog
    title={t('editor.unsaved.title')}
    isAlert
    onClose={onCancel}
    onSubmit={onSave}
    actions={
      <>
        <Button onClick={onCancel}>{t('buttons.cancel')}</Button>
        <Button kind="danger" onClick={onDiscard}>
          {t('editor.discard')}
        </Button>
        <Button kind="primary" type="submit" ref={focusFirst}>
          {t('editor.saveChanges')}
        </Button>
      </>
    }
  >
    <p>{t('editor.unsaved.text', { name: visibleName(name) })}</p>
  </Dialog>
)
