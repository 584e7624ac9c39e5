import type { SessionResource } from '../../../../shared/contract/sessions.ts'
import { pathOf, root } from '../../../../shared/domain/path.ts'
import { call, statusOf } from '../../../api/call.ts'
import { queryClient } from '../../../api/query-client.ts'
import { t } from '../../../i18n/translate.ts'
import { notify } from '../../../state/notices.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, focusFirst } from '../../../ui/dialog.tsx'
import { useSave } from '../use-save.ts'
import { nameOfSession } from './session-name.ts'
import { sessionsKey } from './sessions-query.ts'
import styles from './profile-page.module.css'

type EndSessionsDialogProps = {
  /** One session, or all sessions except the current one. */
  readonly ending: readonly SessionResource[]
  readonly onClose: () => void
}

/** Asks before sessions are ended. */
export function EndSessionsDialog({ ending, onClose }: EndSessionsDialogProps) {
  const { isBusy, failure, save } = useSave()
  const [only] = ending
  const isOne = ending.length === 1
  const end = async (): Promise<void> => {
    const isEnded = await save(
      isOne && only !== undefined ? () => endOne(only) : () => call('sessions.end-others'),
    )
    void queryClient.invalidateQueries({ queryKey: sessionsKey })
    if (!isEnded) return
    notify(t('settings.sessions.ended', { count: ending.length }))
    onClose()
  }
  return (
    <Dialog
      title={t(isOne ? 'settings.sessions.endTitle' : 'settings.sessions.endOthers')}
      isAlert
      onClose={onClose}
      onSubmit={() => void end()}
      actions={
        <>
          <Button onClick={onClose}>{t('buttons.cancel')}</Button>
          <Button kind="danger" type="submit" isBusy={isBusy} ref={focusFirst}>
            {t(isOne ? 'settings.sessions.end' : 'settings.sessions.endOthers')}
          </Button>
        </>
      }
    >
      <p>
        {isOne && only !== undefined
          ? t('settings.sessions.endQuestion', { name: nameOfSession(only) })
          : t('settings.sessions.endOthersQuestion', { count: ending.length })}
      </p>
      {failure !== null && (
        <p role="alert" className={styles.different}>
          {failure}
        </p>
      )}
    </Dialog>
  )
}

/** Ends a session. A session that has ended meanwhile counts as success. */
async function endOne({ id }: SessionResource): Promise<void> {
  try {
    await call('sessions.end', { path: pathOf(id) ?? root })
  } catch (thrown) {
    if (statusOf(thrown) !== 404) throw thrown
  }
}
