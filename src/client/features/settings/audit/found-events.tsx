import { useQuery } from '../../../api/use-query.ts'
import type { AuditPage } from '../../../../shared/contract/audit.ts'
import { t } from '../../../i18n/translate.ts'
import { useUser } from '../../../state/session.ts'
import { userQuery } from '../users-query.ts'
import { AuditTable } from './audit-table.tsx'
import styles from './audit-page.module.css'

type FoundEventsProps = {
  readonly pages: readonly AuditPage[]
  /** True when older events have not been searched yet. */
  readonly hasMore: boolean
}

/** Renders the events of all pages, or a sentence when there are no events. */
export function FoundEvents({ pages, hasMore }: FoundEventsProps) {
  const user = useUser()
  const { data: self } = useQuery({ ...userQuery(user?.id ?? 0), enabled: user !== null })
  const events = pages.flatMap((page) => page.events)
  return (
    <>
      <output className="visually-hidden">{t('settings.audit.count', { count: events.length })}</output>
      {events.length > 0 ? (
        <AuditTable events={events} scope={self?.scope ?? '/'} />
      ) : (
        <p className={styles.none}>{t(hasMore ? 'settings.audit.noneYet' : 'settings.audit.none')}</p>
      )}
    </>
  )
}
