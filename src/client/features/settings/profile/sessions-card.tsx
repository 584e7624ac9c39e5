import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SessionResource } from '../../../../shared/contract/sessions.ts'
import { formatDate, useRelativeTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { useUser } from '../../../state/session.ts'
import { Button } from '../../../ui/button.tsx'
import { CardLoading } from '../card-loading.tsx'
import { SettingsCard } from '../settings-card.tsx'
import { EndSessionsDialog } from './end-sessions-dialog.tsx'
import styles from './profile-page.module.css'
import { nameOfSession } from './session-name.ts'
import { sessionsQuery } from './sessions-query.ts'

/** Renders the sessions of the user, which the user can end. */
export function SessionsCard() {
  const { data, error, refetch } = useQuery(sessionsQuery)
  const [ending, setEnding] = useState<readonly SessionResource[]>([])
  // The server sends the session that was used last first. The current session has a fixed place.
  const sessions = data?.toSorted((one, other) => Number(other.current) - Number(one.current))
  const others = (data ?? []).filter(({ current }) => !current)
  return (
    <SettingsCard title={t('settings.sessions')} hint={t('settings.sessions.hint')}>
      <CardLoading isLoaded={data !== undefined} error={error} onRetry={() => void refetch()} />
      <ul className={styles.sessions}>
        {sessions?.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => setEnding([session])} />
        ))}
      </ul>
      {others.length > 1 && (
        <div>
          <Button onClick={() => setEnding(others)}>{t('settings.sessions.endOthers')}</Button>
        </div>
      )}
      {ending.length > 0 && <EndSessionsDialog ending={ending} onClose={() => setEnding([])} />}
    </SettingsCard>
  )
}

type SessionRowProps = { readonly session: SessionResource; readonly onEnd: () => void }

function SessionRow({ session, onEnd }: SessionRowProps) {
  const hasExactDates = useUser()?.dateFormat ?? false
  const seenMs = Date.parse(session.seen)
  const relative = useRelativeTime(seenMs)
  const time = hasExactDates ? formatDate(seenMs) : relative
  const name = nameOfSession(session)
  return (
    <li className={styles.session}>
      <div className={styles.what}>
        <p className={styles.agent}>
          <bdi>{name}</bdi>
          {session.current && <span className={styles.current}>{t('settings.sessions.current')}</span>}
        </p>
        <p className={styles.seen} title={formatDate(seenMs)}>
          {session.address === ''
            ? t('settings.sessions.usedAt', { time })
            : t('settings.sessions.used', { time, address: session.address })}
        </p>
      </div>
      {!session.current && (
        <Button aria-label={t('settings.sessions.endNamed', { name, time })} onClick={onEnd}>
          {t('settings.sessions.end')}
        </Button>
      )}
    </li>
  )
}
