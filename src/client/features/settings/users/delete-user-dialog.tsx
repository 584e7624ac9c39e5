import { call } from '../../../api/call.ts'
import { queryClient } from '../../../api/query-client.ts'
import { t } from '../../../i18n/translate.ts'
import { leaveSession, userOf } from '../../../state/session.ts'
import { visibleName } from '../../../ui/visible-name.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { explainUserFailure } from './use-user-form.ts'

type DeleteUserDialogProps = {
  readonly id: number
  readonly username: string
  readonly isAdministrator: boolean
  readonly onClose: () => void
  /** Called after another user than the signed-in one was deleted. */
  readonly onDeleted: () => void
}

/** Asks before a user is deleted (specification 2, delete-user confirmation). The files of the user stay. */
export function DeleteUserDialog(props: DeleteUserDialogProps) {
  const { id, username, isAdministrator, onClose, onDeleted } = props
  const isSelf = id === userOf()?.id
  return (
    <ConfirmDialog
      title={t('settings.users.deleteTitle', { name: visibleName(username) })}
      verb={t('buttons.delete')}
      send={(body) => call('users.remove', { id, ...(body.current_password !== undefined && { body }) })}
      explain={(thrown) => explainUserFailure(thrown, isAdministrator)}
      onClose={onClose}
      onSaved={() => {
        void queryClient.invalidateQueries({ queryKey: ['users'] })
        if (isSelf) leaveSession()
        else onDeleted()
      }}
    >
      <p>{t('settings.users.deleteQuestion')}</p>
      {isSelf && <p>{t('settings.users.deleteSelf')}</p>}
    </ConfirmDialog>
  )
}
