import { useState } from 'react'
import { queryOptions } from '@tanstack/react-query'
import type { SessionResource } from '../../../../shared/contract/sessions.ts'
import { callJson } from '../../../api/call.ts'
import { useQuery } from '../../../api/use-query.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { CardLoading } from '../card-loading.tsx'
import { SessionList } from '../profile/session-list.tsx'
import { SettingsCard } from '../settings-card.tsx'
import { EndUserSessionsDialog } from './end-user-sessions-dialog.tsx'

const sessionsOfUserQuery = (id: number) =>
  queryOptions({
    queryKey: ['users', id, 'sessions'],
    queryFn: ({ signal }) => callJson('sessions.list-of', { id, signal }),
    staleTime: 0,
  })

/** Renders the sessions of a user, which an administrator can end. The session of the administrator is marked and stays. */
export function UserSessionsCard({ id, username }: { readonly id: number; readonly username: string }) {
  const { data, error, refetch } = useQuery(sessionsOfUserQuery(id))
  const [ending, setEnding] = useState<readonly SessionResource[] | 'all' | null>(null)
  const others = (data ?? []).filter(({ current }) => !current)
  return (
    <SettingsCard title={t('settings.sessions')} hint={t('settings.users.sessions.hint')}>
      <CardLoading isLoaded={data !== undefined} error={error} onRetry={() => void refetch()} />
      {data?.length === 0 && <p>{t('settings.users.sessions.none')}</p>}
      {others.length > 1 && (
        <div>
          <Button onClick={() => setEnding('all')}>
            {t(
              others.length === data?.length
                ? 'settings.users.sessions.endAll'
                : 'settings.sessions.endOthers',
            )}
          </Button>
        </div>
      )}
      <SessionList sessions={data ?? []} onEnd={setEnding} />
      {ending !== null && (
        <EndUserSessionsDialog
          id={id}
          username={username}
          ids={ending === 'all' ? null : ending.map((session) => session.id)}
          count={ending === 'all' ? others.length : ending.length}
          onClose={() => setEnding(null)}
        />
      )}
    </SettingsCard>
  )
}
