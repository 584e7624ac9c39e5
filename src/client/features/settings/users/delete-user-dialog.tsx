import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { queryClient } from '../../../api/query-client.ts'
import { t } from '../../../i18n/translate.ts'
import { leaveSession, userOf } from '../../../state/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, focusFirst } from '../../../ui/dialog.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { asksForCurrentPassword } from '../profile/use-password-change.ts'
import { useSave } from '../use-save.ts'
import { CurrentPasswordField } from './current-password-field.tsx'
import { failureTextOf, faultsOf } from './use-user-form.ts'
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
  const [fault, setFault] = useState<string | undefined>()
  const { isBusy, failure, save } = useSave((thrown) => {
    const { current: wrong } = faultsOf(thrown)
    setFault(wrong)
    return wrong === undefined ? failureTextOf(thrown, isAdministrator) : null
  })
  const remove = async (): Promise<void> => {
    if (current === '' && needsPassword) {
      setFault(t('settings.password.enterCurrent'))
      return
    }
    const body = current === '' ? {} : { body: { current_password: current } }
    if (!(await save(() => call('users.remove', { id, ...body })))) return
    void queryClient.invalidateQueries({ queryKey: ['users'] })
    if (id === userOf()?.id) leaveSession()
    else onDeleted()
  }
  return (
    <Dialog
      title={t('settings.users.deleteTitle', { name: visibleName(username) })}
      isAlert
      onClose={onClose}
      onSubmit={() => void remove()}
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
        error={fault}
        onChange={(text) => {
          setCurrent(text)
          setFault(undefined)
        }}
      />
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
    </Dialog>
  )
}
