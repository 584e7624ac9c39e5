import { useState } from 'react'
import { useQuery } from '../../../api/use-query.ts'
import type { SessionResource } from '../../../../shared/contract/sessions.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { CardLoading } from '../card-loading.tsx'
import { SettingsCard } from '../settings-card.tsx'
import { EndSessionsDialog } from './end-sessions-dialog.tsx'
import { SessionList } from './session-list.tsx'
import { sessionsQuery } from './sessions-query.ts'

/** Renders the sessions of the user, which the user can end. */
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
      <SessionList sessions={data ?? []} onEnd={setEnding} />
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
