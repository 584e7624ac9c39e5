import { useState } from 'react'
import { call, CallError, statusOf } from '../../../api/call.ts'
import { queryClient } from '../../../api/query-client.ts'
import { RefusedFields, useSave, type Refusal } from '../../../api/use-save.ts'
import { t } from '../../../i18n/translate.ts'
import { notify } from '../../../state/notices.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, focusFirst } from '../../../ui/dialog.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { explainFailure } from '../failure-text.ts'
import { asksForCurrentPassword } from '../profile/use-password-change.ts'
import { CurrentPasswordField } from './current-password-field.tsx'
import styles from './users-page.module.css'

type EndUserSessionsDialogProps = {
  readonly id: number
  readonly username: string
  /** The ids of the sessions to end. Null for all sessions of the user, also those that have begun meanwhile. */
  readonly ids: readonly string[] | null
  readonly count: number
  readonly onClose: () => void
}

/** Asks before an administrator ends sessions of a user. */
export function EndUserSessionsDialog({ id, username, ids, count, onClose }: EndUserSessionsDialogProps) {
  const needsPassword = asksForCurrentPassword()
  const [current, setCurrent] = useState('')
  const name = visibleName(username)
  const { isBusy, failure, faults, submit } = useSave(current, {
    send: async (typed) => {
      if (typed === '' && needsPassword)
        throw new RefusedFields({ current: t('settings.password.enterCurrent') })
      const body = {
        ...(ids !== null && { ids: [...ids] }),
        ...(typed !== '' && { current_password: typed }),
      }
      try {
        await call('sessions.end-of', { id, body })
      } catch (thrown) {
        // A session that has ended meanwhile counts as success.
        if (statusOf(thrown) !== 404) throw thrown
      }
    },
    onSaved: () => {
      void queryClient.invalidateQueries({ queryKey: ['users', id, 'sessions'] })
      notify(t('settings.sessions.ended', { count }))
      onClose()
    },
    explain,
  })
  const verb = t('settings.sessions.endGroup', { count })
  return (
    <Dialog
      title={verb}
      isAlert
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose} ref={needsPassword ? null : focusFirst}>
            {t('buttons.cancel')}
          </Button>
          <Button kind="danger" type="submit" isBusy={isBusy}>
            {verb}
          </Button>
        </>
      }
    >
      <p>{t('settings.users.sessions.endQuestion', { name })}</p>
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

function explain(thrown: unknown): Refusal {
  const isWrong = thrown instanceof CallError && thrown.code === 'wrong-password'
  return isWrong
    ? { faults: { current: t('settings.password.wrong') }, failure: null }
    : explainFailure(thrown)
}
