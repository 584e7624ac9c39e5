import type { SessionResource } from '../../../../shared/contract/sessions.ts'
import { formatDate, useRelativeTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { useUser } from '../../../state/session.ts'
import { Button } from '../../../ui/button.tsx'
import styles from './profile-page.module.css'
import { groupSessions, type SessionGroup } from './session-groups.ts'
import { nameOfSession } from './session-name.ts'

type SessionListProps = {
  readonly sessions: readonly SessionResource[]
  readonly onEnd: (sessions: readonly SessionResource[]) => void
}

/** Renders the sessions of a user. Sessions that look the same share one line. */
export function SessionList({ sessions, onEnd }: SessionListProps) {
  return (
    <ul className={styles.sessions}>
      {groupSessions(sessions).map((group) =>
        group.sessions.length === 1 ? (
          <SessionRow key={group.id} session={group.sessions[0]} onEnd={() => onEnd(group.sessions)} />
        ) : (
          <SessionGroupRow key={group.id} group={group} onEnd={onEnd} />
        ),
      )}
    </ul>
  )
}

type SessionRowProps = {
  readonly session: SessionResource
  /** True in a group, whose heading has the name and the address of its sessions. */
  readonly isInGroup?: boolean
  readonly onEnd: () => void
}

/** Renders a session: its browser or program, its address, when it began, and when it was used last. */
function SessionRow({ session, isInGroup = false, onEnd }: SessionRowProps) {
  const time = useTimeText(session.seen)
  const name = nameOfSession(session)
  const created = formatDate(Date.parse(session.created))
  return (
    <li className={styles.session}>
      <div className={styles.what}>
        {!isInGroup && (
          <p className={styles.agent}>
            <bdi>{name}</bdi>
            {session.current && <span className={styles.current}>{t('settings.sessions.current')}</span>}
          </p>
        )}
        <p className={styles.seen} title={formatDate(Date.parse(session.seen))}>
          {isInGroup || session.address === ''
            ? t('settings.sessions.usedAt', { time })
            : t('settings.sessions.used', { time, address: session.address })}
        </p>
        <p className={styles.seen}>{t('settings.sessions.since', { date: created })}</p>
      </div>
      {!session.current && (
        <Button aria-label={t('settings.sessions.endNamed', { name, time, created })} onClick={onEnd}>
          {t('settings.sessions.end')}
        </Button>
      )}
    </li>
  )
}

type SessionGroupRowProps = {
  readonly group: SessionGroup
  readonly onEnd: (sessions: readonly SessionResource[]) => void
}

/** Renders sessions that look the same as one line, which opens to show each of them. */
function SessionGroupRow({ group: { sessions }, onEnd }: SessionGroupRowProps) {
  const [latest] = sessions
  const time = useTimeText(latest.seen)
  const count = sessions.length
  const name = nameOfSession(latest)
  return (
    <li className={styles.session}>
      <details className={styles.what}>
        <summary className={styles.summary}>
          <span className={styles.agent}>
            <bdi>{name}</bdi>
            <span className={styles.count}>{t('settings.sessions.count', { count })}</span>
          </span>
          <span className={styles.seen}>
            {latest.address === ''
              ? t('settings.sessions.usedAt', { time })
              : t('settings.sessions.used', { time, address: latest.address })}
          </span>
        </summary>
        <ul className={styles.group}>
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} isInGroup onEnd={() => onEnd([session])} />
          ))}
        </ul>
      </details>
      <Button
        aria-label={t('settings.sessions.endGroupNamed', { name, count })}
        onClick={() => onEnd(sessions)}
      >
        {t('settings.sessions.endGroup', { count })}
      </Button>
    </li>
  )
}

/** Returns a time as the user wants times: relative to now, or exact. */
function useTimeText(time: string): string {
  const hasExactDates = useUser()?.dateFormat ?? false
  const timeMs = Date.parse(time)
  const relative = useRelativeTime(timeMs)
  return hasExactDates ? formatDate(timeMs) : relative
}
