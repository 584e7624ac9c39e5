import { queryOptions } from '@tanstack/react-query'
import { failureOfLine } from './failure-of-line.ts'
import { hookEndOf, type HookEnd } from './hook-end.ts'
import { callJson } from '../../../api/call.ts'
import type { JsonOf } from '../../../api/call-options.ts'
import { queryClient } from '../../../api/query-client.ts'
import { useQuery } from '../../../api/use-query.ts'
import { listText } from '../../../i18n/joined-texts.ts'
import { t } from '../../../i18n/translate.ts'
import { notifyFailure } from '../../../state/notices.ts'
import { visibleName } from '../../../ui/visible-name.ts'

type HookLine = JsonOf<'hooks.list'>[number]
type AuditEvent = JsonOf<'audit.list'>['events'][number]

const linesKey = ['hooks', 'lines']

/** The stored lines with their faults. They are fetched again whenever the screen is opened. */
const linesQuery = queryOptions({
  queryKey: linesKey,
  queryFn: ({ signal }) => callJson('hooks.list', { signal }),
  staleTime: 0,
  retry: false,
})

/** The time for which the page shows the failures of lines: a week. */
const shownFailuresMs = 7 * 24 * 3_600_000

/** The latest failures of lines, the newest first. Empty when no audit log is kept. */
const failuresQuery = queryOptions({
  queryKey: ['hooks', 'failures'],
  queryFn: async ({ signal }) => {
    const from = new Date(Date.now() - shownFailuresMs).toISOString()
    const { events } = await callJson('audit.list', {
      query: { action: 'hook', outcome: 'failed', from, limit: '100' },
      signal,
    })
    return events
  },
  staleTime: 0,
  retry: false,
})

/** The fault of a line: its program cannot be started, or its last run has failed. */
export type HookWarning =
  | { readonly kind: 'fault'; readonly fault: NonNullable<HookLine['fault']>; readonly program: string }
  | { readonly kind: 'failure'; readonly atMs: number; readonly end: HookEnd; readonly printed: string }

/** Returns a function that tells what is wrong with a line of an event. It returns null while nothing is known. */
export function useHookWarnings(): (event: string, line: string) => HookWarning | null {
  const { data: lines = [] } = useQuery(linesQuery)
  const { data: failures = [] } = useQuery(failuresQuery)
  return (event, line) => {
    const listed = lines.find((one) => one.event === event && one.line === line)
    if (listed !== undefined && listed.fault !== null)
      return { kind: 'fault', fault: listed.fault, program: listed.program }
    const failure = failureOfLine(failures, event, line)
    return failure === undefined ? null : failureWarning(failure)
  }
}

function failureWarning({ time, details }: AuditEvent): HookWarning {
  const { printed } = details
  return {
    kind: 'failure',
    atMs: Date.parse(time),
    end: hookEndOf(details),
    printed: typeof printed === 'string' ? printed : '',
  }
}

/** Looks at the lines that were just saved, and tells which programs do not exist. */
export async function reportMissingPrograms(): Promise<void> {
  const lines = await queryClient.fetchQuery(linesQuery).catch(() => [])
  const missing = lines.filter(({ fault }) => fault === 'no-program').map(({ program }) => program)
  if (missing.length > 0)
    notifyFailure(t('settings.hook.missing', { names: listText([...new Set(missing)].map(visibleName)) }))
}
