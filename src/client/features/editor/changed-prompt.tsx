import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { visibleName } from '../../ui/visible-name.ts'

const takeFocus = (button: HTMLButtonElement | null): void => button?.focus()

type ChangedPromptProps = {
  readonly name: string
  readonly onCancel: () => void
  readonly onOverwrite: () => void
  readonly onReload: () => void
  readonly onSaveCopy: () => void
}

/** Asks what to do when somebody else has saved the file since it was read. */
export const ChangedPrompt = ({ name, onCancel, onOverwrite, onReload, onSaveCopy }: ChangedPromptProps) => (
  <Dialog
    title={t('editor.changed.title')}
    isAlert
    width="wide"
    onClose={onCancel}
    onSubmit={onSaveCopy}
    actions={
      <>
        <Button onClick={onCancel}>{t('buttons.cancel')}</Button>
        <Button onClick={onReload}>{t('editor.changed.reload')}</Button>
        <Button kind="danger" onClick={onOverwrite}>
          {t('editor.changed.overwrite')}
        </Button>
        <Button kind="primary" type="submit" ref={takeFocus}>
          {t('editor.changed.copy')}
        </Button>
      </>
    }
  >
    <p>{t('editor.changed.text', { name: visibleName(name) })}</p>
  </Dialog>
)
