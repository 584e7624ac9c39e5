import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { queryClient } from '../../../api/query-client.ts'
import { RefusedFields, useSave } from '../../../api/use-save.ts'
import { t } from '../../../i18n/translate.ts'
import { leaveSession, userOf } from '../../../state/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, focusFirst } from '../../../ui/dialog.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { asksForCurrentPassword } from '../profile/use-password-change.ts'
import { CurrentPasswordField } from './current-password-field.tsx'
import { explainUserFailure } from './use-user-form.ts'
import styles from './users-page.module.css'

type DeleteUserDialogProps = {
  readonly id: number
  readonly username: string
  readonly isAdministrator: boolean
  readonly onClose: () => void
  /** Called after another user than the signed-in one was deleted. */
  readonly onDeleted: () => void
}

/**
 * Asks before a user is deleted (specification 2, delete-user confirmation). The files of the user stay. The field for the
 * password gets the focus. Without that field, the button *Cancel* gets it.
 */
export function DeleteUserDialog(props: DeleteUserDialogProps) {
  const { id, username, isAdministrator, onClose, onDeleted } = props
  const needsPassword = asksForCurrentPassword()
  const [current, setCurrent] = useState('')
  const { isBusy, failure, faults, submit } = useSave(current, {
    send: (typed) => {
      if (typed === '' && needsPassword)
        throw new RefusedFields({ current: t('settings.password.enterCurrent') })
      return call('users.remove', { id, ...(typed !== '' && { body: { current_password: typed } }) })
    },
    onSaved: () => {
      void queryClient.invalidateQueries({ queryKey: ['users'] })
      if (id === userOf()?.id) leaveSession()
      else onDeleted()
    },
    explain: (thrown) => explainUserFailure(thrown, isAdministrator),
  })
  return (
    <Dialog
      title={t('settings.users.deleteTitle', { name: visibleName(username) })}
      isAlert
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose} ref={needsPassword ? null : focusFirst}>
            {t('buttons.cancel')}
          </Button>
          <Button kind="danger" type="submit" isBusy={isBusy}>
            {t('buttons.delete')}
          </Button>
        </>
      }
    >
      <p>{t('settings.users.deleteQuestion')}</p>
      {id === userOf()?.id && <p>{t('settings.users.deleteSelf')}</p>}
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
