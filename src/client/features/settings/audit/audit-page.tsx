import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { href } from '../../../api/href.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { LinkButton } from '../../../ui/link-button.tsx'
import { CardLoading } from '../card-loading.tsx'
import { SettingsCard } from '../settings-card.tsx'
import { AuditFilters } from './audit-filters.tsx'
import styles from './audit-page.module.css'
import { auditPages, auditQueryOf, noFilter, type AuditFilterFields } from './audit-query.ts'
import { FoundEvents } from './found-events.tsx'

/** Renders the audit log: who did what, when and from where, with a filter and exports (decision 64). */
export function AuditPage() {
  const [filter, setFilter] = useState(noFilter)
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching, isFetchingNextPage } =
    useInfiniteQuery(auditPages(filter))
  const keptDays = data?.pages[0]?.keptDays
  const apply = (applied: AuditFilterFields): void => {
    setFilter(applied)
    // The same filter again shows the events that have happened since.
    if (JSON.stringify(applied) === JSON.stringify(filter)) void refetch()
  }
  return (
    <SettingsCard
      title={t('settings.tab.audit')}
      className={styles.card}
      hint={
        keptDays === 0 ? t('settings.audit.off') : keptDays && t('settings.audit.kept', { days: keptDays })
      }
    >
      <AuditFilters applied={filter} onApply={apply} />
      <div className={styles.bar}>
        <Button icon="refresh" isBusy={isFetching && !isFetchingNextPage} onClick={() => void refetch()}>
          {t('settings.audit.refresh')}
        </Button>
        {(['csv', 'jsonl'] as const).map((format) => (
          <LinkButton
            key={format}
            icon="download"
            href={href('audit.export', { query: { ...auditQueryOf(filter), format } })}
            download=""
          >
            {t(`settings.audit.export.${format}`)}
          </LinkButton>
        ))}
      </div>
      <CardLoading isLoaded={data !== undefined} error={error} onRetry={() => void refetch()} />
      {data !== undefined && <FoundEvents pages={data.pages} hasMore={hasNextPage} />}
      {hasNextPage && (
        <div className={styles.more}>
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('settings.audit.more')}
          </Button>
        </div>
      )}
    </SettingsCard>
  )
}
