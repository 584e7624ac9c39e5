import { infiniteQueryOptions } from '@tanstack/react-query'
import type { AuditQuery } from '../../../../shared/contract/audit.ts'
import { auditActions } from '../../../../shared/domain/audit-actions.ts'
import { callJson } from '../../../api/call.ts'
import { alwaysFresh } from '../users-query.ts'

/** The texts in the fields of the filter. An empty text stands for no condition. Dates are days of the local time zone. */
export type AuditFilterFields = {
  readonly text: string
  readonly user: string
  readonly action: string
  readonly outcome: string
  readonly from: string
  readonly to: string
}

export const noFilter: AuditFilterFields = { text: '', user: '', action: '', outcome: '', from: '', to: '' }

/** Returns the address of the audit log with a filter, so that a reload, Back and a bookmark keep the filter. */
export function addressOfFilter(filter: AuditFilterFields): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
  return `/settings/audit${query.size === 0 ? '' : `?${query.toString()}`}`
}

/** Returns the filter that the query of an address contains. Values that the fields cannot show are left out. */
export function filterOfAddress(query: string): AuditFilterFields {
  const parameters = new URLSearchParams(query)
  const valueOf = (name: keyof AuditFilterFields, isValid: (value: string) => boolean): string => {
    const value = parameters.get(name) ?? ''
    return isValid(value) ? value : ''
  }
  return {
    text: valueOf('text', isAnyText),
    user: valueOf('user', isAnyText),
    action: valueOf('action', (value) => auditActions.some((action) => action === value)),
    outcome: valueOf('outcome', (value) => value === 'ok' || value === 'failed'),
    from: valueOf('from', isDay),
    to: valueOf('to', isDay),
  }
}

const isAnyText = (): boolean => true

/** Returns true for a day as a date field contains it. */
const isDay = (text: string): boolean => /^\d{4,6}-\d\d-\d\d$/.test(text) && startOfDay(text, 0) !== ''

/** Returns the query of a request for the events that a filter selects. The last day is included. */
export function auditQueryOf({ from, to, text: typed, ...others }: AuditFilterFields): AuditQuery {
  // The log contains paths without the spaces with which they are displayed.
  const fields = { text: typed.replaceAll(' / ', '/'), ...others }
  const times = { from: startOfDay(from, 0), to: startOfDay(to, 1) }
  return Object.fromEntries(Object.entries({ ...fields, ...times }).filter(([, value]) => value !== ''))
}

/** Returns the start of a day, or of a day some days later, as a time in UTC. Empty for no day. */
function startOfDay(day: string, daysLater: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const start = new Date(0)
  start.setFullYear(year, month - 1, date + daysLater)
  start.setHours(0, 0, 0, 0)
  return day === '' || Number.isNaN(start.getTime()) ? '' : start.toISOString()
}

/** The pages of events that match a filter, the newest first. They are fetched again whenever the screen is opened. */
export const auditPages = (filter: AuditFilterFields) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) =>
      callJson('audit.list', {
        query: { ...auditQueryOf(filter), ...(pageParam !== null && { before: String(pageParam) }) },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    ...alwaysFresh,
  })
