import { exportAudit, listAudit, type AuditEventResource } from '../../shared/contract/audit.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { createKeyedLimiter, runLimited } from '../concurrency/keyed-limiter.ts'
import { route, type Route } from '../http/route.ts'
import type { AuditEvent, AuditStore } from '../records/audit-store.ts'
import { readAuditFilter, readCount } from './audit-query.ts'
import { eventChunks, isExportFormat } from './export-events.ts'

export type AuditRouteDependencies = {
  readonly audit: Pick<AuditStore, 'find'>
  /** Stores the events that were recorded so far. */
  readonly flush: () => Promise<void>
  readonly keptDays: () => Promise<number>
}

const usualPageSize = 100
const maxPageSize = 500

/** Returns the routes below `/api/audit`. */
export const auditRoutes = ({ audit, ...dependencies }: AuditRouteDependencies): readonly Route[] =>
  routesOn({ audit: { find: oneAfterTheOther(audit.find) }, ...dependencies })

/**
 * Makes searches wait for each other. A search takes the main thread for a moment and lets other requests in between, so that
 * a hundred searches at the same time would take it for seconds.
 */
function oneAfterTheOther(find: AuditStore['find']): AuditStore['find'] {
  const limiter = createKeyedLimiter({ maxConcurrent: 1 })
  return (filter, range) => runLimited({ limiter, key: 'searches' }, () => find(filter, range))
}

const routesOn = ({ audit, flush, keptDays }: AuditRouteDependencies): readonly Route[] => [
  route(listAudit, async ({ query }) => {
    const filter = readAuditFilter(query)
    const maxEvents = query.limit === undefined ? usualPageSize : readCount(query.limit, 'the limit')
    const beforeId = query.before === undefined ? null : readCount(query.before, 'the position')
    await flush()
    const range = { beforeId, maxEvents: Math.min(maxEvents, maxPageSize) }
    const { events, next } = await audit.find(filter, range)
    return { kind: 'json', json: { events: events.map(eventResource), next, keptDays: await keptDays() } }
  }),
  route(exportAudit, async ({ caller, query, signal }) => {
    const filter = readAuditFilter(query)
    const format = query.format ?? 'csv'
    if (!isExportFormat(format)) throw new AppError('bad-request', { reason: 'the format is invalid' })
    await flush()
    return {
      kind: 'download',
      name: `audit-log.${format}`,
      contentType: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
      chunks: eventChunks(audit, { filter, format, signal, recheck: caller.recheck }),
    }
  }),
]

const eventResource = ({
  atMs,
  username,
  ...event
}: AuditEvent & { readonly id: number }): AuditEventResource => ({
  ...event,
  time: new Date(atMs).toISOString(),
  user: username,
})
