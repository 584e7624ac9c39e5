import type { SessionResource } from '../../../../shared/contract/sessions.ts'
import { pathOf, root } from '../../../../shared/domain/path.ts'
import { call, statusOf } from '../../../api/call.ts'
import { queryClient } from '../../../api/query-client.ts'
import { useSave } from '../../../api/use-save.ts'
import { t } from '../../../i18n/translate.ts'
import { notify } from '../../../state/notices.ts'
import { DialogActions } from '../../../ui/dialog-actions.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { explainFailure } from '../failure-text.ts'
import { nameOfSession } from './session-name.ts'
import { sessionsKey } from './sessions-query.ts'
import styles from './profile-page.module.css'

type EndSessionsDialogProps = {
  /** One session, sessions that look the same, or all sessions except the current one. */
  readonly ending: readonly SessionResource[]
  /** True for all sessions except the current one. The server then also ends those that have begun meanwhile. */
  readonly isAllOthers: boolean
  readonly onClose: () => void
}

/** Asks before sessions are ended. */
export function EndSessionsDialog({ ending, isAllOthers, onClose }: EndSessionsDialogProps) {
  const [only] = ending
  const count = ending.length
  const isOne = count === 1
  const verb = isAllOthers ? t('settings.sessions.endOthers') : t('settings.sessions.endGroup', { count })
  const { isBusy, failure, submit } = useSave(ending, {
    send: async (sessions) => {
      try {
        if (isAllOthers) await call('sessions.end-others')
        else await endEach(sessions)
      } finally {
        void queryClient.invalidateQueries({ queryKey: sessionsKey })
      }
    },
    onSaved: () => {
      notify(t('settings.sessions.ended', { count }))
      onClose()
    },
    explain: explainFailure,
  })
  return (
    <Dialog
      title={verb}
      isAlert
      onClose={onClose}
      onSubmit={submit}
      actions={
        <DialogActions kind="danger" focused="submit" onCancel={onClose} isBusy={isBusy}>
          {verb}
        </DialogActions>
      }
    >
      <p>
        {isOne && only !== undefined
          ? t('settings.sessions.endQuestion', { name: nameOfSession(only) })
          : t('settings.sessions.endOthersQuestion', { count })}
      </p>
      {failure !== null && (
        <p role="alert" className={styles.different}>
          {failure}
        </p>
      )}
    </Dialog>
  )
}

/** Ends sessions one after the other. Those that have ended stay ended when one of them fails. */
async function endEach(sessions: readonly SessionResource[]): Promise<void> {
  for (const session of sessions) await endOne(session)
}

/** Ends a session. A session that has ended meanwhile counts as success. */
async function endOne({ id }: SessionResource): Promise<void> {
  try {
    await call('sessions.end', { path: pathOf(id) ?? root })
  } catch (thrown) {
    if (statusOf(thrown) !== 404) throw thrown
  }
}
