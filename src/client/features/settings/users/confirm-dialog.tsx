import { useState, type ReactNode } from 'react'
import { RefusedFields, useSave, type Refusal } from '../../../api/use-save.ts'
import { t } from '../../../i18n/translate.ts'
import { DialogActions } from '../../../ui/dialog-actions.tsx'
import { Dialog, focusFirst } from '../../../ui/dialog.tsx'
import { asksForCurrentPassword } from '../profile/use-password-change.ts'
import { CurrentPasswordField } from './current-password-field.tsx'
import styles from './users-page.module.css'

/** The administrator's own password in the body of a call. It is missing where nobody logs in with a password. */
type ConfirmingPassword = { readonly current_password?: string }

type ConfirmDialogProps = {
  readonly title: string
  /** The text of the button that confirms. */
  readonly verb: string
  /** The question. */
  readonly children: ReactNode
  readonly send: (password: ConfirmingPassword) => Promise<unknown>
  readonly explain: (thrown: unknown) => Refusal
  readonly onClose: () => void
  readonly onSaved: () => void
}

/**
 * Asks before an administrator does something to a user. The field for the password gets the focus. Without that field, the button
 * *Cancel* gets it.
 */
export function ConfirmDialog({ title, verb, children, onClose, ...request }: ConfirmDialogProps) {
  const needsPassword = asksForCurrentPassword()
  const [current, setCurrent] = useState('')
  const { isBusy, failure, faults, submit } = useSave(current, {
    ...request,
    send: (typed) => {
      if (typed === '' && needsPassword)
        throw new RefusedFields({ current: t('settings.password.enterCurrent') })
      return request.send(typed === '' ? {} : { current_password: typed })
    },
  })
  return (
    <Dialog
      title={title}
      isAlert
      onClose={onClose}
      onSubmit={submit}
      actions={
        <DialogActions
          kind="danger"
          focused={needsPassword ? undefined : 'cancel'}
          onCancel={onClose}
          isBusy={isBusy}
        >
          {verb}
        </DialogActions>
      }
    >
      {children}
      <CurrentPasswordField
        ref={focusFirst}
        value={current}
        error={faults['current'] ?? null}
        onChange={setCurrent}
      />
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
    </Dialog>
  )
}
