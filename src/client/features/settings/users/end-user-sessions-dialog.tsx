import { call, CallError, statusOf } from '../../../api/call.ts'
import { queryClient } from '../../../api/query-client.ts'
import type { Refusal } from '../../../api/use-save.ts'
import { t } from '../../../i18n/translate.ts'
import { notify } from '../../../state/notices.ts'
import { visibleName } from '../../../ui/visible-name.ts'
import { explainFailure } from '../failure-text.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

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
  const verb = t('settings.sessions.endGroup', { count })
  return (
    <ConfirmDialog
      title={verb}
      verb={verb}
      send={async (password) => {
        try {
          await call('sessions.end-of', { id, body: { ...(ids !== null && { ids: [...ids] }), ...password } })
        } catch (thrown) {
          // A session that has ended meanwhile counts as success.
          if (statusOf(thrown) !== 404) throw thrown
        }
      }}
      explain={explain}
      onClose={onClose}
      onSaved={() => {
        void queryClient.invalidateQueries({ queryKey: ['users', id, 'sessions'] })
        notify(t('settings.sessions.ended', { count }))
        onClose()
      }}
    >
      <p>{t('settings.users.sessions.endQuestion', { name: visibleName(username) })}</p>
    </ConfirmDialog>
  )
}

function explain(thrown: unknown): Refusal {
  const isWrong = thrown instanceof CallError && thrown.code === 'wrong-password'
  return isWrong
    ? { faults: { current: t('settings.password.wrong') }, failure: null }
    : explainFailure(thrown)
}
