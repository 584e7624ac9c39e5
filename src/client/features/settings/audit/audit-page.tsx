import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Download, RefreshCw } from 'lucide'
import type { AuditQuery } from '../../../../shared/contract/audit.ts'
import { call } from '../../../api/call.ts'
import { href } from '../../../api/href.ts'
import { queryClient } from '../../../api/query-client.ts'
import { t } from '../../../i18n/translate.ts'
import { downloadIfAccepted } from '../../../operations/download.ts'
import { navigate } from '../../../router/router.ts'
import { useLocation } from '../../../router/use-location.ts'
import { Button } from '../../../ui/button.tsx'
import { CardLoading } from '../card-loading.tsx'
import { SettingsCard } from '../settings-card.tsx'
import { AuditFilters } from './audit-filters.tsx'
import styles from './audit-page.module.css'
import {
  addressOfFilter,
  auditPages,
  auditQueryOf,
  filterOfAddress,
  type AuditFilterFields,
} from './audit-query.ts'
import { FoundEvents } from './found-events.tsx'

/** Renders the audit log: who did what, when and from where, with a filter and exports (decision 64). */
export function AuditPage() {
  const { query } = useLocation()
  const filter = useMemo(() => filterOfAddress(query), [query])
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching, isFetchingNextPage } =
    useInfiniteQuery(auditPages(filter), queryClient)
  const keptDays = data?.pages[0]?.keptDays
  const apply = (applied: AuditFilterFields): void => {
    // The same filter again shows the events that have happened since.
    if (addressOfFilter(applied) === addressOfFilter(filter)) void refetch()
    else navigate(addressOfFilter(applied))
  }
  return (
    <SettingsCard
      title={t('settings.tab.audit')}
      isPageTitle
      className={styles.card}
      hint={
        keptDays === 0 ? t('settings.audit.off') : keptDays && t('settings.audit.kept', { days: keptDays })
      }
    >
      <AuditFilters applied={filter} onApply={apply} />
      <div className={styles.bar}>
        <Button icon={RefreshCw} isBusy={isFetching && !isFetchingNextPage} onClick={() => void refetch()}>
          {t('settings.audit.refresh')}
        </Button>
        {(['csv', 'jsonl'] as const).map((format) => (
          <Button
            key={format}
            icon={Download}
            onClick={() => void exportEvents({ ...auditQueryOf(filter), format })}
          >
            {t(`settings.audit.export.${format}`)}
          </Button>
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

const exportEvents = (query: AuditQuery & { readonly format: string }): Promise<void> =>
  downloadIfAccepted({
    ask: () => call('audit.export', { query, isHead: true }),
    address: href('audit.export', { query }),
    failure: () => t('failed.download', { name: t('settings.tab.audit') }),
  })
