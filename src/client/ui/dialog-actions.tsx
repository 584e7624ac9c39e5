import { t } from '../i18n/translate.ts'
import { Button, type ButtonProps } from './button.tsx'
import { focusFirst } from './dialog.tsx'

type DialogActionsProps = Pick<ButtonProps, 'children' | 'disabled' | 'isBusy'> & {
  /** The kind of the button that submits. */
  readonly kind?: 'primary' | 'danger'
  readonly onCancel: () => void
  /** The text of the other button. */
  readonly cancel?: string
  /** The button that gets the focus when the dialog opens. Without one, the dialog focuses its first field. */
  readonly focused?: 'cancel' | 'submit' | undefined
}

/** Renders the buttons of a dialog that is a form: one closes it, and one, whose text is `children`, submits it. */
export const DialogActions = ({
  kind = 'primary',
  onCancel,
  cancel = t('buttons.cancel'),
  focused,
  ...submit
}: DialogActionsProps) => (
  <>
    <Button onClick={onCancel} ref={focused === 'cancel' ? focusFirst : null}>
      {cancel}
    </Button>
    <Button {...submit} kind={kind} type="submit" ref={focused === 'submit' ? focusFirst : null} />
  </>
)
