import { useState } from 'react'
import { useQuery } from '../../../api/use-query.ts'
import type { SessionResource } from '../../../../shared/contract/sessions.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { CardLoading } from '../card-loading.tsx'
import { SettingsCard } from '../settings-card.tsx'
import { EndSessionsDialog } from './end-sessions-dialog.tsx'
import styles from './profile-page.module.css'
import { groupSessions } from './session-groups.ts'
import { SessionGroupRow, SessionRow } from './session-row.tsx'
import { sessionsQuery } from './sessions-query.ts'

/** Renders the sessions of the user, which the user can end. Sessions that look the same share one line. */
export function SessionsCard() {
  const { data, error, refetch } = useQuery(sessionsQuery)
  const [ending, setEnding] = useState<readonly SessionResource[]>([])
  const others = (data ?? []).filter(({ current }) => !current)
  return (
    <SettingsCard title={t('settings.sessions')} hint={t('settings.sessions.hint')}>
      <CardLoading isLoaded={data !== undefined} error={error} onRetry={() => void refetch()} />
      {others.length > 1 && (
        <div>
          <Button onClick={() => setEnding(others)}>{t('settings.sessions.endOthers')}</Button>
        </div>
      )}
      <ul className={styles.sessions}>
        {groupSessions(data ?? []).map((group) =>
          group.sessions.length === 1 ? (
            <SessionRow key={group.id} session={group.sessions[0]} onEnd={() => setEnding(group.sessions)} />
          ) : (
            <SessionGroupRow key={group.id} group={group} onEnd={setEnding} />
          ),
        )}
      </ul>
      {ending.length > 0 && (
        <EndSessionsDialog
          ending={ending}
          isAllOthers={ending.length > 1 && ending.length === others.length}
          onClose={() => setEnding([])}
        />
      )}
    </SettingsCard>
  )
}
