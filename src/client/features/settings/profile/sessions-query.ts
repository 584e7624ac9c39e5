import { queryOptions } from '@tanstack/react-query'
import { callJson } from '../../../api/call.ts'

export const sessionsKey = ['sessions'] as const

/** The query for the sessions of the signed-in user. */
export const sessionsQuery = queryOptions({
  queryKey: sessionsKey,
  queryFn: ({ signal }) => callJson('sessions.list', { signal }),
  staleTime: 0,
})
