import { queryOptions } from '@tanstack/react-query'
import { callJson } from './call.ts'

/** The query for the report of a takeover. It is fetched again whenever the screen is opened. */
export const takeoverQuery = queryOptions({
  queryKey: ['takeover'],
  queryFn: ({ signal }) => callJson('takeover.get', { signal }),
  staleTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
})
